import * as z from "zod";
import type { FetchHandler } from "../kubernetes/api.ts";
import { errorResponse } from "./error.ts";
import { notFound } from "./request.ts";

/** Wrong answers of controllers, as users of real ones report. Each is a fault of the same name. */
export const lies = ["links foreign", "tasks untold", "tasks unknown"] as const;
export type Lie = (typeof lies)[number];

/** A host name that the controller uses for itself, and that no client can resolve. */
const authority = "https://xcc.oob.example.com";
const paths =
  /"((?:@odata\.id|target|TaskMonitor|TargetUri|@Redfish\.ActionInfo|Members@odata\.nextLink))":"(\/[^"]*)"/g;

const isTask = /\/(TaskService\/(Tasks|TaskMonitors)|Jobs)\/[^/]+\/?$/;
const isTasks = /\/TaskService\/Tasks\/?$/;
const isDrive = /\/Drives\/[^/]+\/?$/;

/** Wraps a controller with wrong answers; `told` are the current ones. */
export function lying(handler: FetchHandler, told: () => readonly Lie[]): FetchHandler {
  return async (request) => {
    const now = told();
    const { pathname } = new URL(request.url);
    const isSilent = now.includes("tasks unknown") && request.method === "GET";
    if (isSilent) {
      if (isTask.test(pathname)) return errorResponse(notFound(pathname));
      if (isTasks.test(pathname)) return Response.json({ Members: [] });
    }
    const response = await handler(request);
    const isUntold = now.includes("tasks untold") || now.includes("tasks unknown");
    if (isUntold && response.status === 202 && request.method !== "GET")
      return new Response(null, { status: 202 });
    const answer = isSilent && isDrive.test(pathname) ? await silent(response) : response;
    return now.includes("links foreign") ? foreign(answer) : answer;
  };
}

/** Hides that a drive is being erased. */
async function silent(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const drive = z.looseObject({}).parse(await response.json());
  return Response.json({ ...drive, Operations: [] });
}

/** The answer with links to the controller's own host name. */
async function foreign(response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  const location = headers.get("location");
  if (location !== null) headers.set("location", `${authority}${location}`);
  const text = await response.text();
  const body = text.replace(paths, (_, name, path) => `"${name}":"${authority}${path}"`);
  return new Response(body === "" ? null : body, { status: response.status, headers });
}
