import { describe, expect, it } from "vitest";
import { AppError, type ErrorKind, errorKinds } from "../../../core/error.ts";
import { errorPath, problemOf } from "../../../functions/api/problem.ts";
import { catalogApi } from "../../support/api.ts";

/** The reference at /docs. */

const api = await catalogApi();
const read = (path: string) => api.ask("nobody", "GET", path);
const kinds = Object.keys(errorKinds) as ErrorKind[];
const pages = ["/docs", "/docs/errors", ...kinds.map(errorPath)];
const all = (text: string, pattern: RegExp) => Array.from(text.matchAll(pattern), ([, one]) => one);

describe.each(pages)("%s", (path) => {
  it("needs nothing from elsewhere and runs nothing that is in it", async () => {
    const { status, text, headers } = await read(path);
    expect(status).toBe(200);
    expect(headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    const policy = headers.get("Content-Security-Policy");
    expect(policy).toContain("default-src 'none'; script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(text).not.toMatch(
      /<style|<script(?! (type="module"|defer) src="\/docs\/)|\son\w+=|\sstyle=/,
    );
    for (const place of all(text, /(?:src|href)="([^"]*)"/g)) expect(place).toMatch(/^(#|\/docs)/);
  });

  it("links to what is there", async () => {
    const { text } = await read(path);
    const ids = all(text, / id="([^"]*)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of all(text, /href="#([^"]*)"/g)) expect(ids).toContain(id);
    for (const place of new Set(all(text, /(?:href|src)="(\/[^"]*)"/g)))
      expect((await read(place ?? "")).status, place).toBe(200);
  });
});

it("is where the address of the deployment leads", async () => {
  const { status, headers } = await read("/");
  expect(status).toBe(302);
  expect(headers.get("Location")).toBe("/docs");
  expect((await api.ask("nobody", "POST", "/")).status).toBe(501);
});

it.each(kinds)("explains where the type of a problem leads: %s", async (kind) => {
  const place = { instance: "/", requestId: "" };
  const { type, title } = problemOf(new AppError(kind, "x"), place);
  const { status, text } = await read(type);
  expect(status).toBe(200);
  expect(text).toContain(`<h1>${title}</h1>`);
});

it("serves the document and its own files, and nothing else", async () => {
  expect((await read("/docs/openapi.json")).body.openapi).toBe("3.1.0");
  for (const path of ["docs.css", "icon.svg", "reference.js", "scalar.js"])
    expect((await read(`/docs/assets/${path}`)).status).toBe(200);
  for (const path of [
    "nothing",
    "assets/",
    "assets/docs.ts",
    "assets/%2e%2e/pages.ts",
    "assets/..%2fanswer.ts",
    "constructor",
  ])
    expect((await read(`/docs/${path}`)).status, path).toBe(404);
  expect((await api.ask("nobody", "POST", "/docs")).status).toBe(501);
});
