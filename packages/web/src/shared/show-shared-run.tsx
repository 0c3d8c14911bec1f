import { lazy, StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";
import { ErrorBoundary } from "../shell/error-boundary";
import { STRINGS } from "../strings/strings";

const SharedPage = lazy(async () => ({ default: (await import("./shared-page")).SharedPage }));

/** Shows a shared run in place of the app: nobody signs in, and nothing asks who is signed in. */
export function showSharedRun(token: string): void {
	globalThis.addEventListener("hashchange", () => globalThis.location.reload());
	const root = document.getElementById("root");
	if (root === null) return;
	createRoot(root).render(
		<StrictMode>
			<ErrorBoundary>
				<Suspense fallback={<p className="page">{STRINGS.app.loading}</p>}>
					<SharedPage token={token} />
				</Suspense>
			</ErrorBoundary>
		</StrictMode>,
	);
}
