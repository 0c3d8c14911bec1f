import type { VisibleMessage } from "@stemma/react";
import { type FormEvent, useState } from "react";
import { useChatContext } from "./chat-context";

/** Thumbs for an answer of a run, or one that is stored; a bad one may have a comment. */
export function Feedback({ message }: { readonly message: VisibleMessage }) {
	const { chat, labels } = useChatContext();
	const [isSent, setSent] = useState(false);
	const { key, rating, run, answer } = message;
	if (run === undefined && answer === undefined) return null;

	function sendComment(event: FormEvent<HTMLFormElement>) {
		event.preventDefault();
		chat.rate(key, "down", String(new FormData(event.currentTarget).get("comment")).trim());
		setSent(true);
	}

	const renderThumb = (thumb: "up" | "down", label: string) => (
		<button
			type="button"
			aria-pressed={rating === thumb}
			aria-label={label}
			title={label}
			onClick={() => chat.rate(key, thumb)}
		>
			<svg className="stemma-thumb" data-rating={thumb} viewBox="0 0 16 16" aria-hidden="true">
				<path d="M1.5 7h3v7h-3zM4.5 7 8 1.5c1.5 0 2 1 1.7 2L9 6h4.5c1 0 1.5.8 1.2 1.8l-1.5 5.2c-.2.6-.7 1-1.4 1H4.5" />
			</svg>
		</button>
	);
	return (
		<>
			{renderThumb("up", labels.good)}
			{renderThumb("down", labels.bad)}
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
