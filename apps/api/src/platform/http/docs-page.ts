/** Renders the OpenAPI document as an HTML page without scripts. */

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}
interface Operation {
  readonly summary?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: Content;
  readonly responses?: Readonly<Record<string, Content>>;
}
interface OpenApi {
  readonly info: { readonly title: string; readonly description?: string };
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

const METHODS = ['get', 'post', 'put', 'delete'];

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`;

/** Describes a value in one line. */
function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return `<a href="#${escapeHtml(name)}">${escapeHtml(name)}</a>`;
  }
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum !== undefined)
    return schema.enum.map((value) => code(JSON.stringify(value))).join(' | ');
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return variants.map(typeText).join(' | ');
  if (schema.items !== undefined) return `list of ${typeText(schema.items)}`;
  if (schema.properties !== undefined) return fieldTable(schema);
  const type = [schema.type ?? 'any'].flat().join(' | ');
  return escapeHtml(schema.format === undefined ? type : `${type} (${schema.format})`);
}

function fieldTable({ properties = {}, required = [] }: Schema): string {
  const rows = Object.entries(properties).map(([name, field]) => {
    const optional = required.includes(name) ? '' : ' <i>optional</i>';
    return `<tr><th scope="row">${code(name)}${optional}</th><td>${typeText(field)}</td></tr>`;
  });
  return `<table>${rows.join('')}</table>`;
}

const bodySchema = ({ content = {} }: Content): Schema | undefined =>
  Object.values(content)[0]?.schema;

function operationHtml(method: string, path: string, operation: Operation): string {
  const { summary = '', security, parameters = [], requestBody, responses = {} } = operation;
  const request = requestBody === undefined ? undefined : bodySchema(requestBody);
  const answer = bodySchema(responses['200'] ?? {});
  const parameterRows = parameters.map(
    ({ name, in: place, required, schema = {} }) =>
      `<tr><th scope="row">${code(name)}${required === true ? '' : ' <i>optional</i>'}</th><td>${escapeHtml(place)}, ${typeText(schema)}</td></tr>`,
  );
  return `<section><h2><b>${method.toUpperCase()}</b> ${escapeHtml(path)}</h2>
<p>${escapeHtml(summary)}.${security === undefined ? '' : ' Needs a bearer token.'}</p>
${parameterRows.length === 0 ? '' : `<h3>Parameters</h3><table>${parameterRows.join('')}</table>`}
${request === undefined ? '' : `<h3>Body</h3>${typeText(request)}`}
${answer === undefined ? '' : `<h3>Answer</h3>${typeText(answer)}`}</section>`;
}

/** Never throws; leaves out parts that the document lacks. */
export function docsPage(openApi: unknown): string {
  const { info, paths = {}, components = {} } = openApi as OpenApi;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [operationHtml(method, path, operation)];
    }),
  );
  const schemas = Object.entries(components.schemas ?? {}).map(
    ([name, schema]) =>
      `<section id="${escapeHtml(name)}"><h2>${escapeHtml(name)}</h2>${typeText(schema)}</section>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(info.title)}</title>
<meta name="viewport" content="width=device-width"><link rel="stylesheet" href="docs.css"></head>
<body><main><h1>${escapeHtml(info.title)}</h1><p>${escapeHtml(info.description ?? '')} Errors are
<a href="#Problem">application/problem+json</a> with a stable <code>code</code>. The same as
<a href="openapi.json">OpenAPI 3.1</a>.</p>${operations.join('')}<h1>Schemas</h1>${schemas.join('')}</main></body></html>`;
}

export const docsCss = `:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1rem}
section{border-top:1px solid color-mix(in srgb,currentColor 20%,transparent);padding:1rem 0}
h2{font-size:1.1rem}h3{font-size:.9rem;margin:.8rem 0 .2rem}
table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.25rem .75rem .25rem 0;font-weight:400}
th{width:14rem}code{font:.9em ui-monospace,monospace}i{opacity:.7;font-size:.85em}
`;
