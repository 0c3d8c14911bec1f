import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app";
import { createStemma } from "./data/stemma";
import { startSession, takeSignInToken } from "./session/start-session";
import "@stemma/react/chat.css";
import "./app.css";

/** Start of the app. A link is redeemed here, once: React may render components twice. */
const stemma = createStemma(globalThis.location.origin);
const token = takeSignInToken();
const starting = startSession(stemma, token);
const root = document.getElementById("root");
if (root !== null)
	createRoot(root).render(
		<StrictMode>
			<App stemma={stemma} starting={starting} isSigningIn={token !== undefined} />
		</StrictMode>,
	);
