import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { RouterProvider } from "react-router/dom";
import { Refusal } from "./api/client.ts";
import { routerFor } from "./routes.tsx";
import { type Arrival, begin, issuers } from "./session/login.ts";
import { useSession } from "./session/session.ts";
import { SignIn } from "./session/sign-in.tsx";

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      // A refusal is final. A lost connection is retried here, and later by the page's next reads.
      retry: (count, error) => !(error instanceof Refusal) && count < 3,
      retryDelay: (count) => Math.min(1000 * 2 ** count, 15_000),
      refetchOnWindowFocus: true,
      staleTime: 1000,
    },
  },
});

export function App({ arrival }: { arrival: Arrival }) {
  return (
    <QueryClientProvider client={queries}>
      <Door arrival={arrival} />
    </QueryClientProvider>
  );
}

/**
 * Shows the pages to a signed-in person; otherwise asks the issuer once with `prompt=none` whether there is a session.
 */
function Door({ arrival }: { arrival: Arrival }) {
  const session = useSession();
  const [isAsking, setAsking] = useState(arrival.from === "elsewhere");
  useEffect(() => {
    if (isAsking) void signInSilently().then(setAsking);
  }, [isAsking]);
  if (session) return <RouterProvider router={routerFor(session)} />;
  if (isAsking) return <p className="quiet">Asking the issuer whether you are signed in …</p>;
  return <SignIn why={arrival.from === "refused" ? arrival.why : undefined} />;
}

/** Redirects to the issuer; returns whether it did. With several issuers the person chooses. */
async function signInSilently(): Promise<boolean> {
  try {
    const [issuer, ...others] = await issuers();
    if (issuer === undefined || others.length > 0) return false;
    await begin(issuer, { isSilent: true });
    return true;
  } catch {
    // The sign-in page shows the error.
    return false;
  }
}
