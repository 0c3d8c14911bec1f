import { StemmaChat } from "@stemma/react/chat";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { AGENT, CONTEXT, createService } from "./service";
import "@stemma/react/chat.css";
import "./ready.css";

const clientKey = import.meta.env.VITE_STEMMA_CLIENT_KEY;
const service = clientKey ? createService(clientKey) : undefined;
const root = document.getElementById("root");
if (root !== null)
	createRoot(root).render(
		<StrictMode>
			<h1>Ask the shop</h1>
			{service ? (
				<StemmaChat service={service} agent={AGENT} context={CONTEXT} storageKey="shop-chat">
					<p>Ask about refunds, postage or opening hours.</p>
				</StemmaChat>
			) : (
				<p>There is no client key: set VITE_STEMMA_CLIENT_KEY in .env, as README.md says.</p>
			)}
		</StrictMode>,
	);
