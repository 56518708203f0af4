import { type ErrorKind, errorKinds } from "../../../core/error.ts";
import { errorPath, problems } from "../problem.ts";
import { operations, type Schema, tags } from "./document.ts";
import { errorCatalogue } from "./error-catalogue.ts";
import { type Html, html, prose } from "./html.ts";
import { operationSection } from "./operation.ts";
import { namedSchema, namesIn } from "./schema.ts";

/** The pages of the reference. */

/** By path below `/docs/`; undefined for one that there is not. */
export function pageAt(path: string): string | undefined {
  if (path === "") return page("Slipway API", start());
  if (path === "errors") return page("Errors", errors());
  if (Object.hasOwn(tags, path)) return page(titleOf(path), ofTag(path));
  const kind = kinds.find((one) => errorPath(one) === `/docs/${path}`);
  return kind && page(problems[kind].title, error(kind, "h1"));
}

const kinds = Object.keys(errorKinds) as ErrorKind[];

const titleOf = (tag: string): string => {
  const words = tag.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
};

const page = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  <link rel="stylesheet" href="/docs/assets/docs.css">
  <link rel="icon" href="data:,">
  <script type="module" src="/docs/assets/docs.js"></script>
</head>
<body>
  <a class="skip" href="#content">To the content</a>
  <header>
    <a class="home" href="/docs">Slipway API</a>
    <label class="token" hidden>Token <input id="token" type="password" autocomplete="off"
      placeholder="to try operations"></label>
  </header>
  <div class="columns">
    <nav aria-label="Reference">
      <ul>
        <li><a href="/docs">Start</a></li>
        <li><a href="/docs/errors">Errors</a></li>
        ${Object.keys(tags).map((tag) => html`<li><a href="/docs/${tag}">${titleOf(tag)}</a></li>`)}
      </ul>
    </nav>
    <main id="content" tabindex="-1">${content}</main>
  </div>
</body>
</html>
`.text;

const start = (): Html => html`
  <h1>Slipway API</h1>
  <p>Order clusters and follow them. Every operation is here, with a <code>curl</code> command; paste
    a token above to try them from this page. It stays in this tab and goes nowhere else.</p>
  <p>Whose tokens are taken says <a href="/api/fulfillment/v1/capabilities">capabilities</a>. The
    whole contract for programs: <a href="/docs/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
  <table>
    <caption>What there is</caption>
    <tbody>${Object.entries(tags).map(
      ([tag, meaning]) => html`
      <tr><th scope="row"><a href="/docs/${tag}">${titleOf(tag)}</a></th><td>${meaning}</td></tr>`,
    )}</tbody>
  </table>`;

const ofThe = (tag: string) => operations.filter((operation) => operation.tag === tag);

function ofTag(tag: string): Html {
  const list = ofThe(tag);
  const areas = [
    { title: "For tenants", list: list.filter(({ id }) => !id.startsWith("private.")) },
    { title: "For administrators", list: list.filter(({ id }) => id.startsWith("private.")) },
  ].filter((area) => area.list.length > 0);
  const schemas: Schema[] = list.flatMap(({ requestBody, responses }) =>
    [requestBody?.content, responses[200]?.content].flatMap((content) =>
      Object.values(content ?? {}).map(({ schema }) => schema),
    ),
  );
  const names = [...namesIn(schemas)];
  return html`
  <h1>${titleOf(tag)}</h1>
  <p>${tags[tag]}.</p>
  ${areas.map(
    ({ title, list: some }) => html`<h2>${title}</h2>
    <ul class="contents">${some.map(
      ({ id, method, summary }) =>
        html`<li><span class="method ${method.toLowerCase()}">${method}</span>
          <a href="#${id}">${summary}</a></li>`,
    )}</ul>
    ${some.map(operationSection)}`,
  )}
  ${names.length > 0 ? html`<h2>Schemas</h2> ${names.map(namedSchema)}` : undefined}`;
}

const errors = (): Html => html`
  <h1>Errors</h1>
  <p>Whatever is refused is answered as <code>application/problem+json</code> (RFC 9457). Its
    <code>type</code> leads here.</p>
  ${kinds.map((kind) => error(kind, "h2"))}`;

function error(kind: ErrorKind, level: "h1" | "h2"): Html {
  const { status, code, title } = problems[kind];
  const { means, remedy } = errorCatalogue[kind];
  const path = errorPath(kind);
  const heading = level === "h1" ? html`<h1>${title}</h1>` : html`<h2>${title}</h2>`;
  return html`<section id="${path.split("/").at(-1)}">${heading}
    <p><a href="${path}"><code>${path}</code></a>, status ${status}, code ${code},
      ${errorKinds[kind].retry ? "may succeed when it is sent again" : "not to be sent again as it is"}.</p>
    <p>${prose(means)}</p>
    <p>${prose(remedy)}</p>
  </section>`;
}
