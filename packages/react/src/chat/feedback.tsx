import type { VisibleMessage } from "@stemma/react";
import { type FormEvent, useState } from "react";
import { useChatContext } from "./chat-context";

/** Thumbs for an answer of a run; a bad one may have a comment. */
export function Feedback({ message }: { readonly message: VisibleMessage }) {
	const { chat, labels } = useChatContext();
	const [isSent, setSent] = useState(false);
	const { key, rating, run } = message;
	if (run === undefined) return null;

	function sendComment(event: FormEvent<HTMLFormElement>) {
		event.preventDefault();
		chat.rate(key, "down", String(new FormData(event.currentTarget).get("comment")).trim());
		setSent(true);
	}

	return (
		<>
			<button
				type="button"
				aria-pressed={rating === "up"}
				aria-label={labels.good}
				title={labels.good}
				onClick={() => chat.rate(key, "up")}
			>
				<span aria-hidden="true">👍</span>
			</button>
			<button
				type="button"
				aria-pressed={rating === "down"}
				aria-label={labels.bad}
				title={labels.bad}
				onClick={() => chat.rate(key, "down")}
			>
				<span aria-hidden="true">👎</span>
			</button>
			{rating === "down" && !isSent && (
				<form className="stemma-comment" onSubmit={sendComment}>
					<label>
						{labels.comment}
						<input name="comment" maxLength={4000} autoComplete="off" />
					</label>
					<button type="submit">{labels.send}</button>
				</form>
			)}
			{rating === "down" && isSent && <span role="status">{labels.thanks}</span>}
		</>
	);
}
