import { type ReactNode, useEffect, useId, useRef } from "react";
import { STRINGS } from "../data/strings";

interface ConfirmDialogProps {
	readonly title: string;
	readonly children: ReactNode;
	/** Label of the button that does it. */
	readonly action: string;
	readonly onConfirm: () => void;
	readonly onClose: () => void;
}

/** Question before something that cannot be undone. Escape closes it, and the focus goes back to where it was. */
export function ConfirmDialog({ title, children, action, onConfirm, onClose }: ConfirmDialogProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	const titleId = useId();
	useEffect(() => {
		const element = dialog.current;
		element?.showModal();
		return () => element?.close();
	}, []);
	const confirm = () => {
		onClose();
		onConfirm();
	};
	return (
		<dialog ref={dialog} className="dialog" aria-labelledby={titleId} onCancel={onClose}>
			<h2 id={titleId}>{title}</h2>
			<p dir="auto">{children}</p>
			<div className="row end">
				<button type="button" onClick={onClose}>
					{STRINGS.app.cancel}
				</button>
				<button type="button" className="danger" onClick={confirm}>
					{action}
				</button>
			</div>
		</dialog>
	);
}
