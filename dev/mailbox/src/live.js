// Reloads the page when a new mail arrives. It polls for the newest number while the page is visible.
const { newest, receiver } = document.currentScript.dataset;
const query = new URLSearchParams({ limit: '1', ...(receiver ? { to: receiver } : {}) });

setInterval(async () => {
  if (document.hidden) return;
  const response = await fetch(`/mailbox/api/messages?${query}`).catch(() => undefined);
  if (!response?.ok) return;
  const [latest] = await response.json();
  if ((latest?.id ?? '') !== newest) location.reload();
}, 2000);
