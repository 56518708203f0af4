import * as z from "zod";
import { basicAuthorization } from "../../core/http.ts";
import type { FetchHandler } from "../kubernetes/api.ts";
import { Refusal } from "./arguments.ts";
import { type Answer, commands } from "./commands.ts";
import type { SimulatedKea } from "./kea.ts";

const typeName = (value: unknown): string =>
  Array.isArray(value) ? "list" : typeof value === "object" ? "map" : typeof value;

/** Ignored: the member `service` matters only to the control agent. */
const requestSchema = z.object(
  {
    command: z.string({
      error: ({ input }) =>
        input === undefined
          ? "invalid command: does not contain mandatory 'command'"
          : // Kea's message for a body of the wrong type.
            "invalid command: expected 'command' to be a string, got map instead",
    }),
    arguments: z.unknown().optional(),
  },
  {
    error: ({ input }) =>
      `invalid command: expected toplevel entry to be a map, got ${typeName(input)} instead`,
  },
);

/** Kea's commands over HTTP, as version 3.0 answers: a list of one answer, always with HTTP 200. */
export function keaApi(kea: SimulatedKea): FetchHandler {
  return async (request) => {
    if (request.headers.get("authorization") !== basicAuthorization(kea))
      return Response.json({ result: 401, text: "Unauthorized" }, { status: 401 });
    const body: unknown = await request.json().catch(() => undefined);
    if (request.method !== "POST" || body === undefined)
      return Response.json({ result: 400, text: "Bad Request" }, { status: 400 });
    const parsed = requestSchema.safeParse(body);
    return Response.json([
      parsed.success
        ? answerTo(kea, parsed.data)
        : { result: 1, text: `Error during command processing: ${wordsOf(parsed.error)}` },
    ]);
  };
}

function answerTo(
  kea: SimulatedKea,
  { command, arguments: args }: z.infer<typeof requestSchema>,
): Answer {
  const known = commands[command];
  if (!known || (known.hook && !kea.hooks.has(known.hook)))
    return { result: 2, text: `'${command}' command not supported.` };
  if (args === undefined && command.startsWith("subnet4-"))
    return { result: 1, text: `no arguments specified for the '${command}' command` };
  try {
    return known.run(kea, args);
  } catch (error) {
    if (error instanceof Refusal) return { result: 1, text: error.message };
    if (error instanceof z.ZodError) return { result: 1, text: wordsOf(error) };
    throw error;
  }
}

/** Only the first error, as Kea reports it. */
const wordsOf = ({ issues: [first] }: z.ZodError): string => first?.message ?? "";
