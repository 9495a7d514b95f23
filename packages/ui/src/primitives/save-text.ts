/** Makes the browser save a file. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

/** Makes the browser save a text as a file. */
export const saveText = (text: string, { name, type }: { name: string; type: string }): void =>
  saveFile(new Blob([text], { type }), name);
