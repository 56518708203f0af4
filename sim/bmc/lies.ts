import * as z from "zod";
import type { FetchHandler } from "../kubernetes/api.ts";
import { errorResponse } from "./error.ts";
import { notFound } from "./request.ts";

/** What controllers say otherwise than it is, as their users report. Each is held up at a machine by its name. */
export const lies = ["links foreign", "tasks untold", "tasks unknown"] as const;
export type Lie = (typeof lies)[number];

/** The name by which a controller knows itself, and which nobody else knows. */
const authority = "https://xcc.oob.example.com";
const paths =
  /"((?:@odata\.id|target|TaskMonitor|TargetUri|@Redfish\.ActionInfo|Members@odata\.nextLink))":"(\/[^"]*)"/g;

const isTask = /\/(TaskService\/(Tasks|TaskMonitors)|Jobs)\/[^/]+\/?$/;
const isTasks = /\/TaskService\/Tasks\/?$/;
const isDrive = /\/Drives\/[^/]+\/?$/;

/** Puts lies around a controller; `told` are those of now. */
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

/** A drive that does not show what is done to it. */
async function silent(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const drive = z.looseObject({}).parse(await response.json());
  return Response.json({ ...drive, Operations: [] });
}

/** The answer with links that name the controller by its own name. */
async function foreign(response: Response): Promise<Response> {
  const headers = new Headers(response.headers);
  const location = headers.get("location");
  if (location !== null) headers.set("location", `${authority}${location}`);
  const text = await response.text();
  const body = text.replace(paths, (_, name, path) => `"${name}":"${authority}${path}"`);
  return new Response(body === "" ? null : body, { status: response.status, headers });
}
