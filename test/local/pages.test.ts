import { request } from "node:http";
import { describe, expect, it } from "vitest";
import { sharedDev } from "../support/dev-process.ts";

/** What opens faults and executions on a laptop is for its owner, and not for pages in a browser. */

const slipway = sharedDev();

/** With headers that `fetch` would not send. */
async function ask(
  to: "sim" | "stepfunctions",
  method: string,
  headers: Record<string, string> = {},
): Promise<number> {
  const isSim = to === "sim";
  const url = new URL(isSim ? "/faults" : "/", slipway().dev[to]);
  const body = isSim ? JSON.stringify({ target: "dns", fault: "slow", count: 1 }) : "{}";
  const target = isSim ? {} : { "X-Amz-Target": "AWSStepFunctions.ListStateMachines" };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers: { ...target, ...headers } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asked.on("error", reject);
    asked.end(method === "GET" ? undefined : body);
  });
}

const form = "application/x-www-form-urlencoded";

describe.each(["sim", "stepfunctions"] as const)("%s", (to) => {
  const done = to === "sim" ? 201 : 200;
  it.each<[string, Record<string, string>, number]>([
    ["a command", { "Content-Type": form }, done],
    ["an SDK", { "Content-Type": "application/x-amz-json-1.0" }, done],
    ["a page of this machine", { Origin: "http://localhost:5173" }, done],
    ["a page of a site", { Origin: "https://example.com", "Content-Type": "text/plain" }, 403],
    ["a page of a site that says only so", { "Sec-Fetch-Site": "cross-site" }, 403],
    ["a page without a site", { Origin: "null" }, 403],
    ["a page that is named like one of ours", { Origin: "http://127.0.0.1.example.com" }, 403],
    ["a page whose name leads here", { Host: "example.com:4400" }, 403],
  ])("answers %s", async (_, headers, status) => {
    expect(await ask(to, "POST", headers)).toBe(status);
  });
});

it("shows nothing to a page whose name leads here", async () => {
  expect(await ask("sim", "GET", { Host: "example.com" })).toBe(403);
  expect(await ask("sim", "GET")).toBe(200);
});
