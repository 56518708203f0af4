import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silent } from "../../../core/log.ts";
import { startSlipway } from "../../../local/slipway.ts";
import { type DevClient, type DevJson, devClient, devJsonIn } from "../../support/dev-process.ts";
import { RealEffects } from "./effects.ts";
import type { RealSystems } from "./systems.ts";

/** Simulated seconds per second: deadlines, which are of the simulated world, leave the real systems their time. */
const speed = 120;

export interface SlipwayAtSite extends DevClient {
  data: string;
  dev: DevJson;
  /** The end of Slipway's log, for a test that fails. */
  lastWords(): string;
  stop(): Promise<void>;
}

/** Local mode with nothing registered, whose servers and hubs are simulated and meet the real systems of a site. */
export async function slipwayAt(systems: RealSystems): Promise<SlipwayAtSite> {
  const data = mkdtempSync(join(tmpdir(), "slipway-real-site-"));
  const warn = (members: object, message: string) => console.warn(message, members);
  const { cloud, kea, nameServer: dns } = systems;
  const effects = new RealEffects({ cloud, kea, dns }, { ...silent, warn });
  const slipway = await startSlipway({
    ...{ data, speed, effects },
    port: 0,
    // Real systems may take longer than simulated ones, and an undo may have to wait for this time.
    workerTimeout: 20_000,
    site: "empty",
    profile: "slipway",
    origins: [],
    loopbackWebhooks: false,
    say: (line) => console.warn(line),
  });
  appendFileSync(join(data, "site.sh"), systems.siteSh());
  const dev = devJsonIn(data);
  return {
    ...devClient(dev),
    data,
    dev,
    lastWords: () => readFileSync(slipway.log, "utf8").split("\n").slice(-60).join("\n"),
    async stop() {
      await slipway.stop();
      await effects.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}
