import * as z from "zod";
import type { Attributes, User } from "./authorization.ts";
import { readBody } from "./body.ts";
import { badRequest } from "./status.ts";

/** Reviews: a client's requests about its own rights, which the server does not store. */

const accessReview = z.object({
  spec: z.object({
    resourceAttributes: z.object({
      verb: z.string().default(""),
      group: z.string().default(""),
      resource: z.string().default(""),
      subresource: z.string().optional(),
      namespace: z.string().optional(),
      name: z.string().optional(),
    }),
  }),
});

interface Asker {
  user: User;
  /** Everything is allowed by default. */
  authorize?(attributes: Attributes): boolean;
}

/** The answer to a SelfSubjectReview or SelfSubjectAccessReview; undefined for any other request. */
export async function review(
  pathname: string,
  request: Request,
  { user, authorize = () => true }: Asker,
): Promise<object | undefined> {
  if (request.method !== "POST") return undefined;
  if (pathname === "/apis/authentication.k8s.io/v1/selfsubjectreviews") {
    return {
      apiVersion: "authentication.k8s.io/v1",
      kind: "SelfSubjectReview",
      metadata: { creationTimestamp: null },
      status: { userInfo: { username: user.name, groups: user.groups } },
    };
  }
  if (pathname !== "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews") return undefined;
  const asked = accessReview.safeParse(await readBody(request));
  if (!asked.success) throw badRequest(z.prettifyError(asked.error));
  const { resource, subresource, namespace, name, ...rest } = asked.data.spec.resourceAttributes;
  const allowed = authorize({
    ...rest,
    resource: subresource === undefined ? resource : `${resource}/${subresource}`,
    ...(namespace && { namespace }),
    ...(name && { name }),
    user: user.name,
    groups: user.groups,
  });
  return {
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    metadata: { creationTimestamp: null },
    ...asked.data,
    status: { allowed },
  };
}
