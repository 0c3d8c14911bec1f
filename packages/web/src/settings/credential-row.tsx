import type { ReactNode } from "react";
import { STRINGS } from "../strings/strings";

interface CredentialRowProps {
	/** Text that is safe to show. */
	readonly name: string;
	readonly badge?: string | undefined;
	/** Lines below the name. */
	readonly children: ReactNode;
	/** Buttons before the one that deletes. */
	readonly actions?: ReactNode;
	readonly deleteLabel: string;
	readonly onDelete: () => void;
}

/** A credential in a list, with what can be done to it. */
export function CredentialRow({ name, badge, children, actions, deleteLabel, onDelete }: CredentialRowProps) {
	return (
		<li className="row">
			<div className="person break">
				<strong dir="auto">{name}</strong> {badge && <code className="small">{badge}</code>}
				<div className="small">{children}</div>
			</div>
			{actions}
			<button type="button" className="danger" aria-label={deleteLabel} onClick={onDelete}>
				{STRINGS.app.delete}
			</button>
		</li>
	);
}
