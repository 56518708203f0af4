import { type ErrorKind, errorKinds } from "../../../core/error.ts";
import { errorPath, problems } from "../problem.ts";
import { errorCatalogue } from "./error-catalogue.ts";
import { type Html, html, prose } from "./html.ts";

/** The pages of the reference: the operations, which Scalar shows, and the errors. */

/** The page at a path below `/docs/`; undefined for an unknown path. */
export function pageAt(path: string, issuer: string | undefined): string | undefined {
  if (path === "") return reference(issuer);
  if (path === "errors") return page("Errors", errors());
  const kind = kinds.find((one) => errorPath(one) === `/docs/${path}`);
  return kind && page(problems[kind].title, error(kind, "h1"));
}

const kinds = Object.keys(errorKinds) as ErrorKind[];

const head = (title: string): Html => html`
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  <link rel="stylesheet" href="/docs/assets/docs.css">
  <link rel="icon" href="/docs/assets/icon.svg" type="image/svg+xml">`;

const bar = (more: Html): Html => html`
  <header class="bar">
    <a class="home" href="/docs"><img src="/docs/assets/icon.svg" alt="" width="24" height="24"> Slipway API</a>
    <a href="/docs/errors">Errors</a>
    <a href="/docs/openapi.json">OpenAPI</a>
    ${more}
  </header>`;

/** The reference. People log in at this issuer; without one they paste a token. */
const reference = (issuer: string | undefined): string =>
  html`<!doctype html>
<html lang="en">
<head>${head("Slipway API")}
  ${issuer === undefined ? html`` : html`<meta name="issuer" content="${issuer}">`}
  <script defer src="/docs/assets/scalar.js"></script>
  <script type="module" src="/docs/assets/reference.js"></script>
</head>
<body>
  ${bar(html`<span id="who"></span>
    <button id="login" hidden>Log in</button>
    <button id="logout" hidden>Log out</button>`)}
  <noscript><p class="text">The reference needs JavaScript; <a href="/docs/openapi.json">openapi.json</a> does not.</p></noscript>
  <div id="reference"></div>
  <dialog id="question" aria-labelledby="asked">
    <form method="dialog">
      <h2 id="asked">Delete it?</h2>
      <p>This is a real request: <code id="target"></code></p>
      <p class="choice"><button value="no" autofocus>Keep it</button>
        <button value="yes" class="danger">Delete</button></p>
    </form>
  </dialog>
</body>
</html>
`.text;

const page = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>${head(title)}</head>
<body>
  <a class="skip" href="#content">To the content</a>
  ${bar(html``)}
  <main id="content" class="text" tabindex="-1">${content}</main>
</body>
</html>
`.text;

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
