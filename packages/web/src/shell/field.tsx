import type { ReactNode } from "react";

interface FieldProps {
	readonly label: string;
	readonly htmlFor: string;
	readonly hint?: string | undefined;
	readonly children: ReactNode;
}

/** Field of a form with its label and a hint. */
export function Field({ label, htmlFor, hint, children }: FieldProps) {
	return (
		<div className="field">
			<label htmlFor={htmlFor}>{label}</label>
			{children}
			{hint && <p className="small">{hint}</p>}
		</div>
	);
}
