import { type Area, rolesFor, type Subject, type Verb } from "../permissions.ts";
import type { Operation, Parameter, Schema } from "./document.ts";
import { type Html, html } from "./html.ts";
import { typeOf } from "./schema.ts";

/** One operation: what it takes and answers, who may, and how it is tried. */
export function operationSection(operation: Operation): Html {
  const { id, method, path, summary, parameters = [] } = operation;
  return html`
  <section class="operation" id="${id}">
    <h3><a href="#${id}">${summary}</a></h3>
    <p class="request"><span class="method ${method.toLowerCase()}">${method}</span>
      <code>${path}</code></p>
    <p>${rolesOf(id)}</p>
    ${parameters.length > 0 ? parameterTable(parameters) : undefined}
    ${exchange(operation)}
    <div class="sample"><pre tabindex="0"><code>${curl(operation)}</code></pre></div>
    ${tryForm(operation)}
  </section>`;
}

function rolesOf(id: string): Html {
  const [area, subject, verb] = id.split(".") as [Area, Subject, Verb];
  const roles = id.includes("/") ? [] : rolesFor(area, subject, verb);
  if (roles.length === 0) return html`For everybody, also without a token.`;
  return html`For ${roles.map((role, n) => html`${n === 0 ? "" : ", "}<code>${role}</code>`)}.`;
}

const parameterTable = (parameters: Parameter[]): Html => html`
  <table>
    <caption>Parameters</caption>
    <tbody>${parameters.map(
      ({ name, in: place, description, schema }) => html`
      <tr><th scope="row"><code>${name}</code></th><td>${place}</td>
        <td>${description ?? ""} <span class="type">${typeOf(schema)}</span></td></tr>`,
    )}</tbody>
  </table>`;

/** What goes in and what comes out. */
function exchange({ requestBody, responses }: Operation): Html {
  const body = requestBody?.content["application/json"]?.schema;
  const answers = Object.entries(responses[200]?.content ?? {});
  const refusals = Object.keys(responses).filter((status) => status !== "200");
  return html`<dl class="exchange">
    ${body && hasName(body) ? html`<div><dt>Body</dt><dd>${typeOf(body)}</dd></div>` : undefined}
    ${answers.map(
      ([type, { schema }]) =>
        html`<div><dt>Answer</dt><dd><code>${type}</code> ${answerType(schema)}</dd></div>`,
    )}
    ${
      refusals.length > 0
        ? html`<div><dt>Refusals</dt><dd>${refusals.join(", ")}:
          <a href="/docs/errors">problems</a></dd></div>`
        : undefined
    }
  </dl>`;
}

const hasName = ({ $ref = "" }: Schema): boolean => !$ref.endsWith("/Empty");

/** A page of a list says of what. */
function answerType(schema: Schema): Html {
  const { items } = schema.properties ?? {};
  if (!items) return typeOf(schema);
  return html`{size, total, items: ${typeOf(items)}, next_page_token}`;
}

/** For a shell that has the URL of the API in `$api` and a token in `$token`. */
export function curl({ method, path, parameters = [], requestBody }: Operation): string {
  const isOpen = path === "/healthz" || path.endsWith("/capabilities");
  const example = requestBody?.content["application/json"]?.example;
  const hasKey = parameters.some(({ name }) => name === "Idempotency-Key");
  return [
    `curl "$api${path.replaceAll(/\{(\w+)\}/g, "$$$1")}"`,
    ...(method === "GET" || (method === "POST" && example) ? [] : [`-X ${method}`]),
    ...(isOpen ? [] : ['-H "authorization: Bearer $token"']),
    ...(hasKey ? ['-H "idempotency-key: $(uuidgen)"'] : []),
    ...(example ? [`-d '${JSON.stringify(example, null, 2).replaceAll("'", "'\\''")}'`] : []),
  ].join(" \\\n  ");
}

/** Shown by docs.js, which also sends it. */
function tryForm({ id, method, path, parameters = [], requestBody }: Operation): Html {
  const example = requestBody?.content["application/json"]?.example;
  return html`
  <details class="try" hidden>
    <summary>Try it</summary>
    <form data-method="${method}" data-path="${path}">
      ${parameters.map(({ name, in: place }) => {
        const field = `${id}:${name}`;
        return html`<label for="${field}">${name}</label>
        <input id="${field}" name="${name}" data-in="${place}" autocomplete="off" spellcheck="false"
          ${place === "path" ? html`required` : undefined}>`;
      })}
      ${
        example === undefined
          ? undefined
          : html`<label for="${id}:body">Body</label>
        <textarea id="${id}:body" rows="${String(JSON.stringify(example, null, 2).split("\n").length)}"
          spellcheck="false">${JSON.stringify(example, null, 2)}</textarea>`
      }
      <p><button>Send ${method}</button>
        ${method === "GET" ? undefined : html`<small>This is a real request.</small>`}</p>
      <output></output>
    </form>
  </details>`;
}
