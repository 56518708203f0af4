import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { send } from "../api/client.ts";
import type { PrivateBaremetalInstance } from "../generated/answers.ts";
import { areaOf, useSignedIn } from "../session/session.ts";
import { quoted } from "../ui/command.ts";
import { CommandLine } from "../ui/copy.tsx";
import { Text } from "../ui/field.tsx";
import { Fault, Part } from "../ui/page.tsx";
import { Do } from "./do.tsx";

/** A maintenance request of the provider: the server's tenant decides when the server may be off. */

/** The reasons of the condition MAINTENANCE. */
const asked = ["ConsentAwaited", "ConsentGiven", "RepairFailed"];

const askedOf = ({ conditions }: PrivateBaremetalInstance["status"]) =>
  conditions.find(
    ({ type, status, reason = "" }) =>
      type.endsWith("_MAINTENANCE") && status.endsWith("_TRUE") && asked.includes(reason),
  );

interface Given {
  consent: "now" | "on_restart" | "window" | "none";
  from?: string;
  until?: string;
}

export function Consent({
  server: { id = "", metadata, status },
}: {
  server: PrivateBaremetalInstance;
}) {
  const path = `${areaOf(useSignedIn())}/baremetal_instances/${id}/maintenance`;
  const queries = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (given: Given) => send<unknown>("POST", path, given),
    onSuccess: () => queries.invalidateQueries(),
  });
  const condition = askedOf(status);
  if (!condition) return null;
  const say = (consent: Given["consent"]) => ({ isPending, act: () => mutate({ consent }) });
  return (
    <Part title="Your provider asks">
      <div className="stack">
        <p>{condition.message}</p>
        <div className="row">
          <Do
            name="Begin now"
            question={`Have ${metadata.name} off now, until that is done?`}
            {...say("now")}
          />
          <Do name="With its next restart" {...say("on_restart")} />
          {condition.reason === "ConsentGiven" && <Do name="Take it back" {...say("none")} />}
          <CommandLine line={`slipway server maintenance ${quoted(metadata.name)} --consent now`} />
        </div>
        <Window isPending={isPending} give={mutate} />
        {error && <Fault error={error} />}
      </div>
    </Part>
  );
}

/** A time in the person's own zone, in the API's form; an invalid text stays as it is. */
function instantOf(text: string): string {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}

function Window({ isPending, give }: { isPending: boolean; give(given: Given): void }) {
  const [from, setFrom] = useState("");
  const [until, setUntil] = useState("");
  return (
    <details>
      <summary>In a window</summary>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          give({ consent: "window", from: instantOf(from), until: instantOf(until) });
        }}
      >
        <Text
          label="It may begin from"
          kind="datetime-local"
          value={from}
          isRequired
          change={setFrom}
        />
        <Text label="and until" kind="datetime-local" value={until} isRequired change={setUntil} />
        <div className="row">
          <button type="submit" disabled={isPending}>
            Begin in the window
          </button>
        </div>
      </form>
    </details>
  );
}
