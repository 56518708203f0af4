import { Link } from "react-router";
import { useObject } from "../api/read.ts";
import type { Ordered } from "./ordered.ts";

/** An object by its name, such as the one on a host's label; by its id until that is read. */
export function NameOf({ plural, id }: { plural: string; id: string }) {
  const { data } = useObject<Ordered>(plural, id);
  return <Link to={`/orders/${plural}/${id}`}>{data?.metadata.name || id}</Link>;
}
