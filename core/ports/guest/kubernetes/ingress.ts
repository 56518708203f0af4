import * as z from "zod";
import type { HubApi } from "../../kubernetes/api.ts";
import {
  type Certificate,
  failed,
  type GuestObservation,
  guestDone,
  guestPending,
  type Ingress,
} from "../guest.ts";
import {
  certificateSecret,
  certificateUse,
  ingressController,
  ingressObjects,
  metalLbOperator,
  ourCertificates,
  routerService,
} from "./objects.ts";
import { ensureOperator } from "./operators.ts";
import { tellAll, tellGuest, titleOf } from "./told.ts";

const serviceStatus = z.object({
  loadBalancer: z.object({ ingress: z.array(z.object({ ip: z.string() })).min(1) }),
});

/** Installs MetalLB, then configures the router's address; done when the router's Service has it. */
export async function ensureIngress(api: HubApi, ingress: Ingress): Promise<GuestObservation> {
  const operator = await ensureOperator(api, metalLbOperator);
  if (operator.state !== "done") return operator;
  const said = await tellAll(ingressObjects(ingress), (object) => api.apply(object));
  if (said) return said;
  const service = await api.read(routerService);
  const ip = serviceStatus.safeParse(service?.status).data?.loadBalancer.ingress[0]?.ip;
  if (ip === undefined) {
    return guestPending(`${titleOf(routerService)} to get the address ${ingress.address}`);
  }
  if (ip === ingress.address) return guestDone;
  return failed(`${titleOf(routerService)} has the address ${ip} instead of ${ingress.address}`);
}

const generations = z.object({
  metadata: z.object({ generation: z.number() }),
  status: z.object({ observedGeneration: z.number() }),
});

const controller = z.object({
  spec: z.object({ defaultCertificate: z.object({ name: z.string() }) }),
});

/**
 * Creates the certificate's Secret, then makes the router use it; done when the ingress operator has seen the
 * change. A certificate that the cluster's administrators have chosen stays in use.
 */
export async function ensureIngressCertificate(
  api: HubApi,
  certificate: Certificate,
): Promise<GuestObservation> {
  const secret = await tellGuest(certificateSecret(certificate), (object) => api.apply(object));
  if (secret) return secret;
  const title = titleOf(ingressController);
  // An apply would create it, and HyperShift would not own it.
  const before = await api.read(ingressController);
  if (!before) return guestPending(`${title} to be made by the cluster`);
  const used = controller.safeParse(before).data?.spec.defaultCertificate.name;
  if (used !== undefined && !ourCertificates.includes(used)) return guestDone;
  const said = await tellGuest(certificateUse(), (object) => api.apply(object));
  if (said) return said;
  const { data } = generations.safeParse(await api.read(ingressController));
  const isSeen = data && data.status.observedGeneration >= data.metadata.generation;
  return isSeen ? guestDone : guestPending(`${title} to take its certificate`);
}
