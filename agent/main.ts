import { readFileSync } from "node:fs";
import { systemClock } from "../core/clock.ts";
import { AppError } from "../core/error.ts";
import { startAgent } from "./agent.ts";
import { fromKubeconfig, inCluster } from "./connection.ts";
import { homeByBus } from "./event-bridge.ts";
import { serveHealth } from "./health.ts";
import { homeByHttps } from "./home.ts";
import { Journal } from "./journal.ts";
import { standardLog } from "./log.ts";
import type { Send } from "./outbox.ts";
import { type Settings, settingsIn } from "./settings.ts";

/** `node agent/main.ts`: the hub agent's process. docs/hub-agent.md describes its settings. */

/** The time to deliver waiting reports at the end, in milliseconds; the others stay on disk. */
const patience = 5000;

try {
  await run(settingsIn(process.env));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function run(settings: Settings): Promise<void> {
  const { hub, home, kube, level, queue, queueLimit, heartbeatEvery } = settings;
  const log = standardLog(hub, level);
  const report =
    "bus" in home
      ? homeByBus({ hub, ...home, wall: systemClock, random: Math.random })
      : byHttps(hub, home);
  const connection =
    "kubeconfig" in kube
      ? named("KUBECONFIG", () => fromKubeconfig(kube.kubeconfig))
      : inCluster(kube);
  const folder = { folder: queue, limit: queueLimit, log };
  const journal = named("SLIPWAY_QUEUE", () => new Journal(folder));
  const agent = startAgent({
    connection,
    report,
    clock: systemClock,
    wall: systemClock,
    log,
    heartbeatEvery,
    journal,
  });
  const health = await serveHealth(agent.state, settings.health);
  const members = {
    server: connection.server,
    home: "bus" in home ? home.bus : home.api,
    health_port: health.port,
  };
  log.info({ ...members, waiting: agent.state().waiting }, "the hub agent runs");

  const end = async (signal: string) => {
    log.info({ signal, waiting: agent.state().waiting }, "the hub agent ends");
    await agent.stop(patience);
    await health.close();
    journal.close();
    log.info({ waiting: agent.state().waiting }, "the hub agent has ended");
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.once(signal, () => void end(signal));
  }
}

function byHttps(hub: string, { api, tokenFile }: { api: string; tokenFile: string }): Send {
  const token = () => readFileSync(tokenFile, "utf8").trim();
  // Read now, to detect a missing file at the start and not with the first report.
  named("SLIPWAY_TOKEN_FILE", token);
  return homeByHttps({ url: api, hub, token, wall: systemClock });
}

/** Runs `use`, and names the setting in its error. */
function named<T>(variable: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    const violations = error instanceof AppError ? error.violations : [];
    const words = [String(error), ...violations.map(({ field, message }) => `${field} ${message}`)];
    throw new Error(`${variable} cannot be used: ${words.join("; ")}`, { cause: error });
  }
}
