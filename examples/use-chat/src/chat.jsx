import { useChat } from "@ai-sdk/react";
import { DefaultChatTransport } from "ai";

const { VITE_STEMMA_BASE_URL: service, VITE_STEMMA_CLIENT_KEY: clientKey } = import.meta.env;

/** Secret of this browser: after a reload, the chat is found for it alone. */
localStorage.visitor ??= crypto.randomUUID();

const transport = new DefaultChatTransport({
	api: `${service}/v1/agents/shop-desk/ui`,
	headers: { authorization: `Bearer ${clientKey}`, "stemma-visitor": localStorage.visitor },
	// Values for `{{context.…}}` in the agent's instructions: this one names the customer.
	body: { context: { customer: "Ada" } },
});

export function Chat() {
	const { messages, sendMessage, status, error } = useChat({ id: "shop", resume: true, transport });
	const isAnswering = status === "submitted" || status === "streaming";

	function ask(event) {
		event.preventDefault();
		const form = event.currentTarget;
		sendMessage({ text: new FormData(form).get("question") });
		form.reset();
	}

	return (
		<>
			{messages.map((message) => (
				<Message key={message.id} message={message} />
			))}
			{error && <p role="alert">{error.message}</p>}
			<form onSubmit={ask}>
				<label htmlFor="question">Your question</label>
				<input id="question" name="question" autoComplete="off" required />
				<button type="submit" disabled={isAnswering}>
					Ask
				</button>
			</form>
		</>
	);
}

function Message({ message: { role, parts } }) {
	const text = parts.map((part) => (part.type === "text" ? part.text : "")).join("");
	const sources = parts.filter(({ type }) => type === "source-document" || type === "source-url");
	if (role === "user") return <h2>{text}</h2>;
	return (
		<article>
			<p className="text" style={{ whiteSpace: "pre-wrap" }}>
				{text}
			</p>
			<ol aria-label="Sources">
				{sources.map(({ sourceId, title, providerMetadata }) => (
					<li key={sourceId} value={sourceId}>
						<details>
							<summary>{title}</summary>
							<blockquote>{providerMetadata.stemma.text}</blockquote>
						</details>
					</li>
				))}
			</ol>
		</article>
	);
}
