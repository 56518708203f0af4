import * as z from "zod";
import { AppError } from "../../../error.ts";
import {
  ask,
  basicAuthorization,
  type HttpCredential,
  type HttpOptions,
  isTransient,
} from "../../../http.ts";

/** The Kea commands in use, with the hook library of each, and whether it changes anything. */
const commands = {
  "list-commands": { changes: false },
  "config-get": { changes: false },
  "config-write": { changes: true },
  "subnet4-get": { hook: "libdhcp_subnet_cmds.so", changes: false },
  "subnet4-add": { hook: "libdhcp_subnet_cmds.so", changes: true },
  "subnet4-update": { hook: "libdhcp_subnet_cmds.so", changes: true },
  "subnet4-del": { hook: "libdhcp_subnet_cmds.so", changes: true },
  "reservation-get-all": { hook: "libdhcp_host_cmds.so", changes: false },
  "reservation-add": { hook: "libdhcp_host_cmds.so", changes: true },
  "reservation-update": { hook: "libdhcp_host_cmds.so", changes: true },
  "reservation-del": { hook: "libdhcp_host_cmds.so", changes: true },
  "lease4-get-all": { hook: "libdhcp_lease_cmds.so", changes: false },
  "lease4-del": { hook: "libdhcp_lease_cmds.so", changes: true },
} as const satisfies Record<string, { hook?: string; changes: boolean }>;
type Command = keyof typeof commands;

/** Kea could not carry out the command; the message is Kea's. */
export class KeaRefusal extends AppError {
  constructor(command: Command, message: string) {
    super("Rejected", message, { detail: `${command}: ${message}` });
  }
}

export interface KeaApiOptions extends Pick<HttpOptions, "url" | "wall" | "timeout" | "fetch"> {
  credential: () => Promise<HttpCredential>;
}

const answerSchema = z.object({
  result: z.int(),
  text: z.string().optional(),
  arguments: z.unknown().optional(),
});

const result = { success: 0, error: 1, unsupported: 2, empty: 3 } as const;

/**
 * Slipway's calls of Kea's DHCPv4 server, on its own HTTP socket or through the control agent. Both answer
 * HTTP 200 with a list of one answer, whose `result` is the outcome (Kea's manual, "Data Syntax").
 */
export class KeaApi {
  readonly #options: KeaApiOptions;

  constructor(options: KeaApiOptions) {
    this.#options = options;
  }

  /** The command's answer; undefined if Kea found nothing. Throws Unavailable, or KeaRefusal. */
  async run<T>(
    command: Command,
    schema: z.ZodType<T>,
    args?: Record<string, unknown>,
  ): Promise<T | undefined> {
    const answer = await this.#answer(command, args);
    const { text = "no reason given" } = answer;
    switch (answer.result) {
      case result.success:
        return understood(answer.arguments, schema);
      case result.empty:
        return undefined;
      case result.unsupported:
        throw unavailable(`the DHCP server has no ${lackOf(command)}`, `${command}: ${text}`);
      case result.error:
        throw isOffline(text)
          ? unavailable("the DHCP server is not running behind its control agent", text)
          : new KeaRefusal(command, text);
      default:
        throw unavailable(`the DHCP server is unavailable now: ${text}`, command);
    }
  }

  /** The hook libraries whose commands the server lacks. */
  async missingHooks(): Promise<string[]> {
    const known = await this.run("list-commands", z.array(z.string()));
    const missing = (Object.keys(commands) as Command[]).filter((name) => !known?.includes(name));
    return [...new Set(missing.map(lackOf))];
  }

  async #answer(command: Command, args: Record<string, unknown> | undefined) {
    const { credential, ...http } = this.#options;
    const reply = await ask(
      { ...http, system: "the DHCP server" },
      {
        method: "POST",
        path: "/",
        headers: { authorization: basicAuthorization(await credential()) },
        // The control agent requires the service; the server's own socket accepts it.
        body: { command, service: ["dhcp4"], ...(args && { arguments: args }) },
        ...(!commands[command].changes && { changesNothing: true }),
      },
    );
    const { status } = reply;
    const detail = `${command}: ${status}`;
    if (status === 401)
      throw unavailable("the DHCP server does not accept our credentials", detail);
    if (status === 403) throw unavailable(`the DHCP server does not let us ask ${command}`, detail);
    if (isTransient(status))
      throw unavailable(`the DHCP server is unavailable now (${status})`, detail);
    if (status !== 200) throw new KeaRefusal(command, `the DHCP server refuses (${status})`);
    return understood(Array.isArray(reply.json) ? reply.json[0] : reply.json, answerSchema);
  }
}

const lackOf = (command: Command): string => {
  const about = commands[command];
  return "hook" in about ? `hook library ${about.hook}` : `command ${command}`;
};

/** Texts of the control agent. The server may have run the command, but its answer was lost. */
const isOffline = (text: string): boolean =>
  /unable to forward command|forwarding socket is not configured/i.test(text);

const unavailable = (message: string, detail: string): AppError =>
  new AppError("Unavailable", message, { detail });

function understood<T>(json: unknown, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw unavailable("the DHCP server's answer is malformed", String(parsed.error));
}
