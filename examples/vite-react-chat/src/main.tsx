import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Chat } from "./chat";
import { createService } from "./service";
import "./style.css";

const clientKey = import.meta.env.VITE_STEMMA_CLIENT_KEY;
const root = document.getElementById("root");
if (root !== null)
	createRoot(root).render(
		<StrictMode>
			{clientKey ? (
				<Chat service={createService(clientKey)} />
			) : (
				<p>There is no client key: set VITE_STEMMA_CLIENT_KEY in .env, as README.md says.</p>
			)}
		</StrictMode>,
	);
