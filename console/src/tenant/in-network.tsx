import type { ReactNode } from "react";
import { Link } from "react-router";
import { useList } from "../api/read.ts";
import type { PrivateVirtualNetwork } from "../generated/answers.ts";
import { Empty } from "../ui/empty.tsx";
import { Field } from "../ui/field.tsx";
import { Loaded, Page } from "../ui/page.tsx";

/** A form for objects in a network, which needs a network of the tenant first. */
export function InNetwork({
  title,
  children,
}: {
  title: string;
  /** The form. */
  children(networks: PrivateVirtualNetwork[]): ReactNode;
}) {
  const read = useList<PrivateVirtualNetwork>("virtual_networks", { limit: 200 });
  return (
    <Page title={title}>
      <Loaded read={read} waiting="Reading your networks …">
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              action={
                <Link className="button primary" to="/networks/new">
                  New network
                </Link>
              }
            >
              You have no network yet.
            </Empty>
          ) : (
            children(items)
          )
        }
      </Loaded>
    </Page>
  );
}

interface NetworkChoiceProps {
  networks: readonly PrivateVirtualNetwork[];
  /** The id of the chosen network. */
  value: string;
  change(network: string): void;
}

export const NetworkChoice = ({ networks, value, change }: NetworkChoiceProps) => (
  <Field label="Network">
    {(id) => (
      <select id={id} value={value} onChange={({ target }) => change(target.value)}>
        {networks.map(({ id: each = "", metadata }) => (
          <option key={each} value={each}>
            {metadata.name || each}
          </option>
        ))}
      </select>
    )}
  </Field>
);
