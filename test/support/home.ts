import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { News, Report } from "../../core/hub/news.ts";
import { createApp } from "../../functions/api/app.ts";
import { principalOf } from "../../functions/api/principal.ts";
import { type Claims, tokenCheck } from "../../local/gateway.ts";
import { openIssuer } from "../../local/issuer.ts";
import { serve } from "../../local/serve.ts";
import { testDeps } from "./deps.ts";
import { addHub } from "./placement.ts";

/** Slipway's API on a socket, with real tokens, as a hub agent reaches it. */
export interface Home {
  url: string;
  /** What it has taken. */
  reported: Report[];
  news(): News[];
  /** Of requests for reports, whatever was answered. */
  asked: number;
  /** Answers in place of the API when it returns something. */
  intercept: () => Response | undefined;
  /** A token of this hub's agent. */
  token(hub: string): Promise<string>;
  admin(): Promise<string>;
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "slipway-agent-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** With these hubs registered; ended with the test. */
export async function openHome(...hubs: string[]): Promise<Home> {
  const deps = testDeps();
  for (const hub of hubs) await addHub(deps, hub);
  const url = "http://issuer.example.com";
  const issuer = await openIssuer({ url, file: join(temporaryFolder(), "issuer.json") });
  const app = createApp(deps, {
    profile: "slipway",
    principal: ({ env }: { env: { claims?: Claims } }) => env.claims && principalOf(env.claims),
  });
  const check = tokenCheck(issuer);
  const listener = await serve(async (request) => {
    home.asked += 1;
    return home.intercept() ?? app.fetch(request, { claims: await check(request) });
  }, 0);
  onTestFinished(() => listener.close());
  const home: Home = {
    url: listener.url,
    reported: deps.reported,
    news: () => deps.reported.flatMap(({ news }) => news),
    asked: 0,
    intercept: () => undefined,
    token: (hub) => issuer.token({ sub: `hub:${hub}`, roles: ["agent"] }),
    admin: () => issuer.token({ sub: "root", roles: ["provider-admin"] }),
  };
  return home;
}
