import { visibleText } from "@stemma/client";
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { STRINGS } from "../data/strings";

interface ConfirmDialogProps {
	readonly title: string;
	readonly children: ReactNode;
	/** Label of the button that does it. */
	readonly action: string;
	/** Text that has to be typed before, for what is lost for good. */
	readonly typed?: string | undefined;
	readonly onConfirm: () => void;
	readonly onClose: () => void;
}

/** Question before something that cannot be undone. Escape closes it, and the focus goes back to where it was. */
export function ConfirmDialog({ title, children, action, typed, onConfirm, onClose }: ConfirmDialogProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	const [text, setText] = useState("");
	const id = useId();
	// Closed while it is still in the page: a browser gives the focus back only then.
	useLayoutEffect(() => {
		const element = dialog.current;
		element?.showModal();
		return () => element?.close();
	}, []);
	const isAllowed = typed === undefined || isTyped(text, typed);
	const confirm = () => {
		onClose();
		onConfirm();
	};
	return (
		<dialog ref={dialog} className="dialog" aria-labelledby={id} onCancel={onClose}>
			<h2 id={id}>{title}</h2>
			<p dir="auto">{children}</p>
			{typed !== undefined && (
				<div className="field">
					<label htmlFor={`${id}-typed`} dir="auto">
						{STRINGS.app.typeToConfirm(visibleText(typed))}
					</label>
					<input
						id={`${id}-typed`}
						autoComplete="off"
						spellCheck={false}
						value={text}
						onChange={(event) => setText(event.target.value)}
						// No form of its own: dialogs are also shown within forms.
						onKeyDown={(event) => {
							if (event.key !== "Enter") return;
							event.preventDefault();
							if (isAllowed) confirm();
						}}
					/>
				</div>
			)}
			<div className="row end">
				<button type="button" onClick={onClose}>
					{STRINGS.app.cancel}
				</button>
				<button type="button" className="danger" disabled={!isAllowed} onClick={confirm}>
					{action}
				</button>
			</div>
		</dialog>
	);
}

/** Characters that cannot be seen cannot be typed, either. */
const isTyped = (text: string, typed: string): boolean =>
	text === typed || text.trim() === visibleText(typed).trim();
