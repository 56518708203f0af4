import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { ask, send } from "../api/client.ts";
import { pace, useRead } from "../api/read.ts";
import type { Credential, IssuedCredential, Revocation } from "../generated/answers.ts";
import { useSignedIn } from "../session/session.ts";
import { quoted } from "../ui/command.ts";
import { CommandBlock, CommandLine } from "../ui/copy.tsx";
import { Text } from "../ui/field.tsx";
import { Listed } from "../ui/listed.tsx";
import { Notice } from "../ui/notice.tsx";
import { Fault, Part } from "../ui/page.tsx";
import { saveAs } from "../ui/save-as.ts";
import { State } from "../ui/state.tsx";
import { Ago } from "../ui/time.tsx";
import { Do } from "./do.tsx";

interface AccessProps {
  /** The cluster's id. */
  id: string;
  name: string;
}

/** The access to a cluster for its tenant: the kubeconfig, and certificates for the tenant's own keys. */
export function Access({ id, name }: AccessProps) {
  const path = `/api/fulfillment/v1/clusters/${id}`;
  const kubeconfig = useMutation({
    async mutationFn() {
      const answer = await ask(`${path}/kubeconfig`);
      saveAs(`${name}.kubeconfig`, await answer.text(), "application/yaml");
    },
  });
  return (
    <Part title="Access">
      <div className="stack">
        <div className="row">
          <button type="button" disabled={kubeconfig.isPending} onClick={() => kubeconfig.mutate()}>
            Download the kubeconfig
          </button>
          <span className="quiet">
            of its first administrator, as long as the cluster stands:{" "}
            <CommandLine line={`slipway cluster kubeconfig ${quoted(name)}`} />
          </span>
        </div>
        {kubeconfig.error && <Fault error={kubeconfig.error} />}
        <Issue path={path} name={name} />
        <Issued path={path} name={name} />
      </div>
    </Part>
  );
}

/** Requests a certificate by a signing request, so that the private key stays with its owner. */
function Issue({ path, name }: { path: string; name: string }) {
  const { user } = useSignedIn();
  const [csr, setCsr] = useState("");
  const queries = useQueryClient();
  const issue = useMutation({
    mutationFn: () => send<IssuedCredential>("POST", `${path}/credentials`, { csr }),
    async onSuccess({ kubeconfig }) {
      saveAs(`${name}-${user}.kubeconfig`, kubeconfig, "application/yaml");
      setCsr("");
      await queries.invalidateQueries();
    },
  });
  const subject = `/O=system:masters/CN=system:customer-break-glass:${user}`;
  return (
    <details>
      <summary>A certificate of 24 hours, for a key of your own</summary>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          issue.mutate();
        }}
      >
        <p>Make a key and a request, which names you:</p>
        <CommandBlock
          text={`openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes \\
  -keyout ${user}.key -out ${user}.csr -subj "${subject}"`}
        />
        <Text label={`The request, ${user}.csr`} lines={4} value={csr} change={setCsr} />
        {issue.error && <Fault error={issue.error} />}
        {issue.data && (
          <Notice state="ready">
            Certificate {issue.data.serial} is good for{" "}
            <Ago time={issue.data.expiration_timestamp} />. Its kubeconfig was downloaded; put your
            key into it:{" "}
            <code>
              kubectl --kubeconfig {quoted(name)}-{user}.kubeconfig config set-credentials admin
              --client-key {user}.key --embed-certs
            </code>
          </Notice>
        )}
        <div className="row">
          <button type="submit" disabled={csr.trim() === "" || issue.isPending}>
            Have it signed
          </button>
          <code>
            slipway cluster issue-credential {quoted(name)} --set {quoted(`csr=@${user}.csr`)}
          </code>
        </div>
      </form>
    </details>
  );
}

interface Credentials {
  items: Credential[];
  size: number;
  total: number;
  revocation?: Revocation;
}

/** The issued certificates, and the revocation of all of them. */
function Issued({ path, name }: { path: string; name: string }) {
  const read = useRead<Credentials>(`${path}/credentials`, {
    again: (data) => (data?.revocation?.state.endsWith("REVOKING") ? pace.list : pace.rest),
  });
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => send<Revocation>("POST", `${path}/credentials/revoke`, {}),
    onSuccess: () => queries.invalidateQueries(),
  });
  const revocation = read.data?.revocation;
  return (
    <>
      <Listed
        label="Certificates"
        read={read}
        idOf={({ serial }) => serial}
        empty="No certificate is valid now."
        columns={[
          { name: "Certificate", cell: ({ serial }) => <code>{serial}</code> },
          { name: "State", cell: ({ state }) => <Certificate state={state} /> },
          { name: "Issued for", cell: ({ user }) => user },
          { name: "Issued", cell: (row) => <Ago time={row.issue_timestamp} /> },
          { name: "Ends", cell: (row) => <Ago time={row.expiration_timestamp} /> },
        ]}
      />
      {revocation && (
        <p>
          All earlier certificates <Ago time={revocation.request_timestamp} />{" "}
          {revocation.state.endsWith("REVOKING") ? "are being made invalid." : "are invalid."}
        </p>
      )}
      {(read.data?.items.length ?? 0) > 0 && (
        <div className="row">
          <Do
            name="Revoke all certificates"
            question={`Make every certificate invalid that was issued for ${name}?`}
            isPending={revoke.isPending}
            act={() => revoke.mutate()}
          />
          <CommandLine line={`slipway cluster revoke-credentials ${quoted(name)}`} />
        </div>
      )}
      {revoke.error && <Fault error={revoke.error} />}
    </>
  );
}

const tones = {
  CREDENTIAL_STATE_ISSUED: "ready",
  CREDENTIAL_STATE_REVOKING: "running",
  CREDENTIAL_STATE_REVOKED: "ended",
} as const;

const Certificate = ({ state }: { state: Credential["state"] }) => (
  <State state={state} tone={tones[state]} />
);
