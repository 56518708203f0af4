import type { Host } from "../generated/answers.ts";
import { State } from "../ui/state.tsx";

/** The problems that the health report names. */
export function Health({ health }: Pick<Host["status"], "health">) {
  if (!health) return null;
  const alerts = health.alerts ?? [];
  if (alerts.length === 0) return <State state={health.state} />;
  const [first] = alerts;
  const more = alerts.length > 1 ? ` and ${alerts.length - 1} more` : "";
  return (
    <span title={alerts.map(({ id, message }) => `${id}: ${message}`).join("\n")}>
      <State state={`${first?.id}${more}`} tone="stalled" />
    </span>
  );
}
