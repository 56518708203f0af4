import * as z from "zod";
import { objectSchema, verbatim } from "../kubernetes/schema.ts";

/** The strict schemas of built-in kinds in templates, with their common members. */

const strings = z.record(z.string(), z.string());
const intOrString = z.union([z.int(), z.string()]);
const localReference = z.strictObject({ name: z.string() });
const keyReference = z.strictObject({
  name: z.string(),
  key: z.string(),
  optional: z.boolean().optional(),
});
const resources = z.strictObject({
  limits: z.record(z.string(), intOrString).optional(),
  requests: z.record(z.string(), intOrString).optional(),
});
const capabilities = z.strictObject({
  add: z.array(z.string()).optional(),
  drop: z.array(z.string()).optional(),
});
const seccompProfile = z.strictObject({
  type: z.enum(["RuntimeDefault", "Unconfined", "Localhost"]),
});
const securityContext = z.strictObject({
  allowPrivilegeEscalation: z.boolean().optional(),
  capabilities: capabilities.optional(),
  privileged: z.boolean().optional(),
  readOnlyRootFilesystem: z.boolean().optional(),
  runAsNonRoot: z.boolean().optional(),
  runAsUser: z.int().optional(),
  seccompProfile: seccompProfile.optional(),
});

const probe = z.strictObject({
  exec: z.strictObject({ command: z.array(z.string()) }).optional(),
  httpGet: z
    .strictObject({ path: z.string().optional(), port: intOrString, scheme: z.string().optional() })
    .optional(),
  tcpSocket: z.strictObject({ port: intOrString }).optional(),
  initialDelaySeconds: z.int().optional(),
  periodSeconds: z.int().optional(),
  timeoutSeconds: z.int().optional(),
  failureThreshold: z.int().optional(),
});

const container = z.strictObject({
  name: z.string(),
  image: z.string(),
  imagePullPolicy: z.enum(["Always", "IfNotPresent", "Never"]).optional(),
  command: z.array(z.string()).optional(),
  args: z.array(z.string()).optional(),
  workingDir: z.string().optional(),
  env: z
    .array(
      z.strictObject({
        name: z.string(),
        value: z.string().optional(),
        valueFrom: z
          .strictObject({
            secretKeyRef: keyReference.optional(),
            configMapKeyRef: keyReference.optional(),
            fieldRef: z.strictObject({ fieldPath: z.string() }).optional(),
          })
          .optional(),
      }),
    )
    .optional(),
  ports: z
    .array(
      z.strictObject({
        name: z.string().optional(),
        containerPort: z.int().min(1).max(65535),
        protocol: z.enum(["TCP", "UDP", "SCTP"]).default("TCP"),
      }),
    )
    .optional(),
  resources: resources.optional(),
  securityContext: securityContext.optional(),
  readinessProbe: probe.optional(),
  livenessProbe: probe.optional(),
  terminationMessagePolicy: z.enum(["File", "FallbackToLogsOnError"]).default("File"),
  volumeMounts: z
    .array(
      z.strictObject({
        name: z.string(),
        mountPath: z.string(),
        subPath: z.string().optional(),
        readOnly: z.boolean().optional(),
      }),
    )
    .optional(),
});

const volume = z.strictObject({
  name: z.string(),
  emptyDir: z
    .strictObject({ medium: z.string().optional(), sizeLimit: intOrString.optional() })
    .optional(),
  configMap: localReference.optional(),
  secret: z.strictObject({ secretName: z.string() }).optional(),
  persistentVolumeClaim: z.strictObject({ claimName: z.string() }).optional(),
});

const templateOf = <Policy extends z.ZodType>(restartPolicy: Policy) =>
  z.strictObject({
    metadata: z
      .strictObject({ labels: strings.optional(), annotations: strings.optional() })
      .optional(),
    spec: z.strictObject({
      containers: z.array(container).min(1),
      initContainers: z.array(container).optional(),
      volumes: z.array(volume).optional(),
      restartPolicy,
      serviceAccountName: z.string().optional(),
      nodeSelector: strings.optional(),
      tolerations: z
        .array(
          z.strictObject({
            key: z.string().optional(),
            operator: z.enum(["Exists", "Equal"]).optional(),
            value: z.string().optional(),
            effect: z.enum(["NoSchedule", "PreferNoSchedule", "NoExecute"]).optional(),
          }),
        )
        .optional(),
      securityContext: z
        .strictObject({
          runAsNonRoot: z.boolean().optional(),
          fsGroup: z.int().optional(),
          seccompProfile: seccompProfile.optional(),
        })
        .optional(),
      terminationGracePeriodSeconds: z.int().optional(),
    }),
  });

export const jobSchema = objectSchema({
  spec: z.strictObject({
    template: templateOf(z.enum(["OnFailure", "Never"])),
    backoffLimit: z.int().min(0).default(6),
    completions: z.int().min(1).default(1),
    parallelism: z.int().min(0).default(1),
    activeDeadlineSeconds: z.int().min(1).optional(),
    ttlSecondsAfterFinished: z.int().min(0).optional(),
  }),
});
export type JobSpec = z.infer<typeof jobSchema>["spec"];

export const deploymentSchema = objectSchema({
  spec: z.strictObject({
    replicas: z.int().min(0).default(1),
    selector: z.strictObject({ matchLabels: strings }),
    template: templateOf(z.enum(["Always"]).default("Always")),
    strategy: z.strictObject({ type: z.enum(["Recreate", "RollingUpdate"]) }).optional(),
    progressDeadlineSeconds: z.int().min(1).default(600),
  }),
}).superRefine(({ spec }, context) => {
  const labels = spec.template.metadata?.labels ?? {};
  const wanted = Object.entries(spec.selector.matchLabels);
  if (wanted.every(([key, value]) => labels[key] === value)) return;
  const message = `Invalid value: ${JSON.stringify(labels)}: \`selector\` does not match template \`labels\``;
  const path = ["spec", "template", "metadata", "labels"];
  context.addIssue({ code: "custom", path, message, params: verbatim });
});
export type DeploymentSpec = z.infer<typeof deploymentSchema>["spec"];

export const claimSchema = objectSchema({
  spec: z.strictObject({
    accessModes: z.array(z.enum(["ReadWriteOnce", "ReadOnlyMany", "ReadWriteMany"])).min(1),
    resources: z.strictObject({ requests: z.strictObject({ storage: z.string() }) }),
    storageClassName: z.string().optional(),
    volumeMode: z.enum(["Filesystem", "Block"]).default("Filesystem"),
  }),
});
