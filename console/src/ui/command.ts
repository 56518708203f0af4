/** Command lines that do what a form does. */

export const quoted = (text: string): string =>
  /^[\w./:=@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** What was chosen: parameters that are left to the template are not named. */
export const chosen = (parameters: Record<string, unknown>): [string, unknown][] =>
  Object.entries(parameters).filter(([, value]) => value !== undefined);

/** What YAML reads as the same text: the command line reads values as YAML. */
const plain = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[A-Za-z](?:[\w ./@+=-]|:(?=\S))*$/i;

/** The options that set these members of an order. */
export const setsOf = (members: readonly (readonly [path: string, value: unknown])[]): string[] =>
  members.map(([path, value]) => {
    const text = typeof value === "string" && plain.test(value) ? value : JSON.stringify(value);
    return `--set ${quoted(`${path}=${text}`)}`;
  });

/** One line for each part. */
export const commandLine = (parts: readonly string[]): string => parts.join(" \\\n  ");
