import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type Page, send } from "../api/client.ts";
import { useRead } from "../api/read.ts";
import type { ClusterVersion, PrivateCluster } from "../generated/answers.ts";
import { areaOf, useSignedIn } from "../session/session.ts";
import { quoted } from "../ui/command.ts";
import { Fault, Part } from "../ui/page.tsx";
import { Do } from "./do.tsx";

/** The most frequent changes of a cluster: its numbers of nodes, and its release. */
export function Changes({ cluster }: { cluster: PrivateCluster }) {
  const { id = "", metadata, spec, status } = cluster;
  const isChanging = status.operation !== undefined;
  const session = useSignedIn();
  const path = `${areaOf(session)}/clusters/${id}`;
  const upgrades = useRead<Page<ClusterVersion>>(`${path}/upgrades`);
  const queries = useQueryClient();
  const [sizes, setSizes] = useState<Record<string, number>>({});
  const change = useMutation({
    mutationFn: (wanted: object) => send<PrivateCluster>("PATCH", path, { spec: wanted }),
    async onSuccess() {
      setSizes({});
      await queries.invalidateQueries();
    },
  });
  if (!session.mayChange) return null;
  const changed = Object.entries(sizes).filter(([set, size]) => spec.node_sets[set]?.size !== size);
  const node_sets = Object.fromEntries(changed.map(([set, size]) => [set, { size }]));
  const words = changed.map(([set, size]) => quoted(`${set}=${size}`)).join(" ");
  return (
    <Part title="Change it">
      <div className="stack">
        <form
          className="row"
          onSubmit={(event) => {
            event.preventDefault();
            change.mutate({ node_sets });
          }}
        >
          {Object.entries(spec.node_sets).map(([set, { size }]) => (
            <label key={set}>
              Nodes in {set}{" "}
              <input
                type="number"
                min={0}
                value={sizes[set] ?? size}
                onChange={({ target }) => setSizes({ ...sizes, [set]: Number(target.value) })}
              />
            </label>
          ))}
          <button type="submit" disabled={changed.length === 0 || change.isPending}>
            Resize
          </button>
          {changed.length > 0 && (
            <code>
              slipway cluster scale {quoted(metadata.name)} {words}
            </code>
          )}
        </form>
        {upgrades.error && <Fault error={upgrades.error} />}
        <div className="row">
          {upgrades.data?.items.length === 0 && (
            <span className="quiet">There is no release that it could be upgraded to.</span>
          )}
          {upgrades.data?.items.map(({ id: version, spec: release }) => (
            <Do
              key={version}
              name={`Upgrade to ${release.version}`}
              question={`Upgrade ${metadata.name} to ${release.version}, its control plane and then one node after the other? There is no way back.`}
              isPending={change.isPending || isChanging}
              act={() => change.mutate({ version })}
            />
          ))}
          {isChanging && upgrades.data?.items.length !== 0 && (
            <span className="quiet">
              Nothing is upgraded while another change is under way; a resize waits for its end.
            </span>
          )}
        </div>
        {change.error && <Fault error={change.error} />}
      </div>
    </Part>
  );
}
