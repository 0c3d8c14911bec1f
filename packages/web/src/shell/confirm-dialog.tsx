import { visibleText } from "@stemma/client";
import { type ReactNode, useId, useState } from "react";
import { STRINGS } from "../strings/strings";
import { Dialog } from "./dialog";

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

/** Question before something that cannot be undone. */
export function ConfirmDialog({ title, children, action, typed, onConfirm, onClose }: ConfirmDialogProps) {
	const [text, setText] = useState("");
	const id = useId();
	const isAllowed = typed === undefined || isTyped(text, typed);
	const confirm = () => {
		onClose();
		onConfirm();
	};
	return (
		<Dialog title={title} onClose={onClose}>
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
		</Dialog>
	);
}

/** Characters that cannot be seen cannot be typed, either. */
const isTyped = (text: string, typed: string): boolean =>
	text === typed || text.trim() === visibleText(typed).trim();
