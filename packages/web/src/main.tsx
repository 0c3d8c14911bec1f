import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { createStemma } from "./data/stemma";
import { findPageAddress } from "./session/page-address";
import { isSignInLink, restorePage, startSession, takeSignInToken } from "./session/start-session";
import { isShareLink, readShareToken } from "./shared/share-link";
import { showSharedRun } from "./shared/show-shared-run";
import "@stemma/react/chat.css";
import "./app.css";

/** Start of the app. The token of a link is taken here, once: React may render components twice. */
function start(): void {
	const shareToken = readShareToken();
	if (shareToken !== undefined) return showSharedRun(shareToken);
	const token = takeSignInToken();
	// A link that is pasted into an open page changes the fragment alone.
	globalThis.addEventListener(
		"hashchange",
		() => (isSignInLink() || isShareLink()) && globalThis.location.reload(),
	);
	const stemma = createStemma(globalThis.location.origin);
	const starting = startSession(stemma);
	void starting.then(({ status }) => status === "signed-in" && restorePage());
	const root = document.getElementById("root");
	if (root !== null)
		createRoot(root).render(
			<StrictMode>
				<App stemma={stemma} starting={starting} token={token} />
			</StrictMode>,
		);
}

const address = findPageAddress(globalThis.location.href);
if (address === undefined) start();
else globalThis.location.replace(address);
