import { Link } from "react-router";
import { useObject } from "../api/read.ts";
import type { Ordered } from "./ordered.ts";

/** An object's name, by its id, such as of the owner in a host's label; the id until the object is read. */
export function NameOf({ plural, id }: { plural: string; id: string }) {
  const { data } = useObject<Ordered>(plural, id);
  return <Link to={`/orders/${plural}/${id}`}>{data?.metadata.name || id}</Link>;
}
