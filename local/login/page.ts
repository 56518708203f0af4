import { createHash } from "node:crypto";
import { html, raw } from "hono/html";
import type { Person } from "../people.ts";

/** The pages of the login: plain HTML without a script. */

type Html = ReturnType<typeof html>;

const style = `
  :root { color-scheme: light dark; --ground: light-dark(#f7f8fa, #0e1116); --raised: light-dark(#fff, #161a21);
    --line: light-dark(#e3e6eb, #262c36); --edge: light-dark(#7e8897, #6c7685);
    --text: light-dark(#0f1419, #e8ebf0); --quiet: light-dark(#5a6472, #9aa4b2);
    --accent: light-dark(#2f5fd0, #7aa2ff); --accent-tint: light-dark(#eaf0fd, #1a2438); }
  body { font: 13px/20px system-ui, sans-serif; margin: 0; background: var(--ground); color: var(--text); }
  main { box-sizing: border-box; width: min(26rem, 100vw - 32px); margin: 10vh auto; padding: 32px;
    background: var(--raised); border: 1px solid var(--line); border-radius: 8px; }
  h1 { font-size: 20px; line-height: 28px; font-weight: 600; margin: 0 0 8px; }
  h2 { font-size: 12px; line-height: 16px; font-weight: 400; color: var(--quiet); margin: 24px 0 8px; }
  p { margin: 0 0 16px; color: var(--quiet); }
  form { margin: 0; }
  button { display: block; width: 100%; margin: 0 0 8px; padding: 8px 16px; text-align: left;
    font: inherit; color: inherit; background: none; border: 1px solid var(--line); border-radius: 6px;
    cursor: pointer; }
  button:hover, button:focus-visible { border-color: var(--accent); background: var(--accent-tint); }
  button strong, button span { display: block; }
  button strong { font-weight: 600; }
  button span { font-size: 12px; line-height: 16px; color: var(--quiet); }
  button.plain { text-align: center; color: var(--quiet); }
  label { display: block; margin-bottom: 8px; }
  input { box-sizing: border-box; width: 100%; margin-bottom: 16px; padding: 8px 16px; color: inherit;
    background: none; font: inherit; letter-spacing: .1em; border: 1px solid var(--edge); border-radius: 6px; }
  code { letter-spacing: .08em; color: var(--text); white-space: nowrap; }
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
        ? html`<p>Choose who you are for <code>${client}</code>. A laptop's Slipway needs no password.</p>`
        : html`<p><code>${client}</code> on a device that shows <code>${userCode}</code> asks who
you are. A laptop's Slipway needs no password.</p>`
    }
<form method="post" action="${action}">
<input type="hidden" name="request" value="${request}">
${[...Map.groupBy(people, ({ group }) => group)].map(
  ([group, ofGroup]) =>
    html`<h2>${group}</h2>${ofGroup.map(
      ({ name, title }) =>
        html`<button name="user" value="${name}"><strong>${name}</strong><span>${title}</span></button>`,
    )}`,
)}
${userCode === undefined ? "" : html`<button class="plain" name="deny" value="yes">Refuse</button>`}
</form>`,
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
