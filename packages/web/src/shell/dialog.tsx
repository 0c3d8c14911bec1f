import { type ReactNode, useId, useLayoutEffect, useRef } from "react";

interface DialogProps {
	readonly title: string;
	readonly children: ReactNode;
	readonly onClose: () => void;
}

/** Window over the page. Escape closes it, and the focus goes back to where it was. */
export function Dialog({ title, children, onClose }: DialogProps) {
	const dialog = useRef<HTMLDialogElement>(null);
	const id = useId();
	// Closed while it is still in the page: a browser gives the focus back only then.
	useLayoutEffect(() => {
		const element = dialog.current;
		element?.showModal();
		return () => element?.close();
	}, []);
	return (
		<dialog ref={dialog} className="dialog" aria-labelledby={id} onCancel={onClose}>
			<h2 id={id}>{title}</h2>
			{children}
		</dialog>
	);
}
