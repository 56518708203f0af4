/** Commands that are equivalent to a form. */

export const quoted = (text: string): string =>
  /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** The chosen parameters; those with the template's default are absent. */
export const chosen = (parameters: Record<string, unknown>): [string, unknown][] =>
  Object.entries(parameters).filter(([, value]) => value !== undefined);

/** Texts that YAML does not change, since the CLI parses values as YAML. */
const plain = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z](?:[\w ./@+=-]|:(?=\S))*$/i;

/** The options that set these members of an order. */
export const setsOf = (members: readonly (readonly [path: string, value: unknown])[]): string[] =>
  members.map(([path, value]) => {
    const text = typeof value === "string" && plain.test(value) ? value : JSON.stringify(value);
    return `--set ${quoted(`${path}=${text}`)}`;
  });

/** One line for each part. */
export const commandLine = (parts: readonly string[]): string => parts.join(" \\\n  ");
