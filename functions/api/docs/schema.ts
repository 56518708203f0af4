import { nameIn, type Schema, schemaNamed } from "./document.ts";
import { type Html, html } from "./html.ts";

/** Schemas as lists of members, one below the other. */

/** A schema by its name, with every member that it has. */
export const namedSchema = (name: string): Html => html`
  <section class="schema" id="schema-${name}">
    <h3>${name}</h3>
    ${members(schemaNamed(name), isInput(name))}
  </section>`;

/** Whether clients send it. */
const isInput = (name: string): boolean => /(Input|Change|Report|Replay)$/.test(name);

function members(schema: Schema, sent: boolean): Html | undefined {
  const { properties, required = [] } = schema;
  if (!properties) return undefined;
  return html`<dl>${Object.entries(properties).map(([name, member]) => {
    const inner = members(member, sent) ?? members(heldBy(member), sent);
    return html`<div>
      <dt><code>${name}</code> <span class="type">${typeOf(member)}</span>
        ${required.includes(name) ? need(sent) : undefined}</dt>
      ${inner ? html`<dd>${inner}</dd>` : undefined}
    </div>`;
  })}</dl>`;
}

/** What a client must send, or may rely on. */
const need = (sent: boolean): Html =>
  sent ? html`<span class="required">required</span>` : html`<span class="type">always</span>`;

/** What a list or a map holds, or the choice that has members. */
function heldBy({ items, additionalProperties, anyOf, oneOf }: Schema): Schema {
  const choice = (anyOf ?? oneOf)?.find(({ properties }) => properties);
  return choice ?? items ?? (typeof additionalProperties === "object" ? additionalProperties : {});
}

/** In a few words; a schema with a name is a link to it. */
export function typeOf(schema: Schema): Html {
  const { $ref, type, enum: values, anyOf, oneOf, items, additionalProperties } = schema;
  if ($ref !== undefined) return html`<a href="#schema-${nameIn($ref)}">${nameIn($ref)}</a>`;
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (values) return listed(values.map((value) => html`<code>${String(value)}</code>`));
  const choices = anyOf ?? oneOf;
  if (choices) return listed(choices.map(typeOf));
  if (items) return html`list of ${typeOf(items)}${boundsOf(schema)}`;
  if (typeof additionalProperties === "object") return html`map to ${typeOf(additionalProperties)}`;
  if (schema.pattern !== undefined && schema.format === undefined)
    return html`${type} like <code>${schema.pattern}</code>`;
  return html`${schema.format ?? type ?? "any JSON"}${boundsOf(schema)}`;
}

const listed = (choices: Html[]): Html =>
  html`${choices.map((choice, n) => (n === 0 ? choice : html` or ${choice}`))}`;

function boundsOf(schema: Schema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const least = minimum ?? minLength ?? minItems;
  const most = maximum ?? maxLength ?? maxItems;
  // What a number can hold at all is no bound.
  const [from, to] = [least, most].map((bound) =>
    bound === undefined || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound,
  );
  const unit = schema.type === "string" ? " characters" : schema.type === "array" ? " items" : "";
  if (from !== undefined && to !== undefined) return `, ${from} to ${to}${unit}`;
  if (to !== undefined) return `, at most ${to}${unit}`;
  return from !== undefined && from !== 0 ? `, at least ${from}${unit}` : "";
}

/** The names of the schemas that these refer to, and of those that they do. */
export function namesIn(schemas: Schema[], names = new Set<string>()): Set<string> {
  for (const [, name] of JSON.stringify(schemas).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (name === undefined || names.has(name)) continue;
    names.add(name);
    namesIn([schemaNamed(name)], names);
  }
  return names;
}
