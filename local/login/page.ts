import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { Person } from "../people.ts";

/** The pages of the login: plain HTML without a script. */

type Html = ReturnType<typeof html>;

const style = `
  body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: #f3f4f6; color: #1f2937; }
  main { max-width: 26rem; margin: 10vh auto; padding: 2rem; background: #fff; border-radius: 12px;
    box-shadow: 0 1px 3px rgb(0 0 0 / .2); }
  h1 { font-size: 1.4rem; margin: 0 0 .5rem; }
  p { margin: 0 0 1.25rem; color: #4b5563; }
  form { margin: 0; }
  button { display: block; width: 100%; margin: 0 0 .6rem; padding: .7rem 1rem; text-align: left;
    font: inherit; color: inherit; background: #fff; border: 1px solid #d1d5db; border-radius: 8px;
    cursor: pointer; }
  button:hover, button:focus-visible { border-color: #2563eb; background: #eff6ff; }
  button strong, button span { display: block; }
  button span { font-size: .875rem; color: #4b5563; }
  button.plain { text-align: center; color: #4b5563; }
  label { display: block; margin-bottom: .4rem; }
  input { box-sizing: border-box; width: 100%; margin-bottom: 1rem; padding: .7rem 1rem;
    font: inherit; letter-spacing: .1em; border: 1px solid #d1d5db; border-radius: 8px; }
  code { font-size: 1.1em; letter-spacing: .08em; color: #111827; white-space: nowrap; }
  small { color: #6b7280; }
`;

/** The headers of the pages: no scripts, no frames, no external content; forms may redirect to `back`. */
export function headersOf(back = ""): Record<string, string> {
  const digest = createHash("sha256").update(style).digest("base64");
  return {
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": [
      "default-src 'none'",
      `style-src 'sha256-${digest}'`,
      `form-action 'self' ${back}`.trim(),
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
  };
}

const page = (title: string, content: Html): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · Slipway</title>
<style>${raw(style)}</style>
</head>
<body><main><h1>${title}</h1>${content}</main></body>
</html>`;

export interface Choice {
  /** The address that receives the form. */
  action: string;
  /** A secret that proves that Slipway showed the form. */
  request: string;
  client: string;
  people: readonly Person[];
  /** The code that the other device shows. */
  userCode?: string;
}

/** The page with a button for each person. */
export const choicePage = ({ action, request, client, people, userCode }: Choice): Html =>
  page(
    "Log in",
    html`${
      userCode === undefined
        ? html`<p><code>${client}</code> asks who you are.</p>`
        : html`<p><code>${client}</code> on a device that shows <code>${userCode}</code> asks who
you are.</p>`
    }
<form method="post" action="${action}">
<input type="hidden" name="request" value="${request}">
${people.map(
  ({ name, title }) =>
    html`<button name="user" value="${name}"><strong>${name}</strong><span>${title}</span></button>`,
)}
${userCode === undefined ? "" : html`<button class="plain" name="deny" value="yes">Refuse</button>`}
</form>
<small>This is the login of a laptop's Slipway: it needs no password.</small>`,
  );

export const userCodePage = (action: string, message = ""): Html =>
  page(
    "Log in on a device",
    html`${message === "" ? "" : html`<p role="alert">${message}</p>`}
<form method="get" action="${action}">
<label for="code">The code that the device shows</label>
<input id="code" name="user_code" autocomplete="off" autofocus placeholder="ABCD-EFGH">
<button class="plain">Go on</button>
</form>`,
  );

export const messagePage = (title: string, message: string): Html =>
  page(title, html`<p>${message}</p>`);
