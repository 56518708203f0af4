import type { News } from "../../core/ports/hub/news.ts";
import type { NewsKind } from "../../core/ports/hub/reported-kinds.ts";

interface Parts {
  metadata?: Partial<News["object"]["metadata"]>;
  spec?: Record<string, unknown>;
  status?: Record<string, unknown>;
  deleted?: boolean;
}

/** What a hub reports; give the parts that matter. */
export function newsOfKind(
  kind: NewsKind,
  { metadata, spec, status, deleted = false }: Parts = {},
): News {
  return {
    kind,
    deleted,
    object: {
      metadata: { name: "abc", namespace: "ns", uid: "uid-1", resourceVersion: "100", ...metadata },
      ...(spec && { spec }),
      ...(status && { status }),
    },
  };
}
