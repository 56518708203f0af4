import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { News, Report } from "../../core/ports/hub/news.ts";
import { createApp } from "../../functions/api/app.ts";
import { bearerIn } from "../../functions/identity/bearer.ts";
import { localVerifier } from "../../local/gateway.ts";
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
  const url = "http://127.0.0.1:1";
  const issuer = await openIssuer({ url, file: join(temporaryFolder(), "issuer.json") });
  const verify = localVerifier(issuer);
  const app = createApp(deps, {
    profile: "slipway",
    principal: ({ req }) => {
      const token = bearerIn(req.header("Authorization"));
      return token === undefined ? undefined : verify(token);
    },
  });
  const listener = await serve(async (request) => {
    home.asked += 1;
    return home.intercept() ?? app.fetch(request);
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
