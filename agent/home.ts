import { AppError } from "../core/error.ts";
import { ask, type HttpOptions, isTransient } from "../core/http.ts";
import type { Send } from "./outbox.ts";

export interface HomeOptions extends Pick<HttpOptions, "wall" | "fetch"> {
  /** URL of the API, such as `https://api.example.com`, without a slash at the end. */
  url: string;
  hub: string;
  /** Called for each report, because tokens are replaced at run time. */
  token: () => string;
}

/** The time limit of one report including its answer, in milliseconds. */
const timeout = 15_000;

/** Statuses with which the API refuses the message itself, so that repeating it is pointless. */
const rejections = [400, 413, 422];

/**
 * Reports to Slipway's private API, with a token for this hub. Throws Rejected for a message that can never
 * be accepted, and Unavailable for everything else: an operator renews an expired token or registers the hub,
 * and no report may be lost until then.
 */
export function homeByHttps({ hub, token, ...http }: HomeOptions): Send {
  const path = `/api/private/v1/hubs/${encodeURIComponent(hub)}/reports`;
  return async (message) => {
    const headers = { authorization: `Bearer ${token()}` };
    const options = { system: "home", timeout, ...http };
    const { status, text } = await ask(options, { method: "POST", path, headers, body: message });
    if (status === 200) return;
    const detail = `POST ${path}: ${status} ${text.slice(0, 1000)}`;
    if (rejections.includes(status))
      throw new AppError("Rejected", `Slipway refuses the report (${status})`, { detail });
    throw new AppError("Unavailable", wordsFor(status), { detail });
  };
}

function wordsFor(status: number): string {
  if (status === 401) return "Slipway does not accept the token";
  if (status === 403) return "the token is not a hub agent's";
  if (status === 404) return "Slipway knows no such hub, or the token is another hub's";
  return isTransient(status)
    ? `Slipway is unavailable now (${status})`
    : `Slipway's answer is malformed (${status})`;
}
