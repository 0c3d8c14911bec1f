import type { ReactNode } from "react";

interface EmptyStateProps {
	readonly title: string;
	readonly children?: ReactNode;
}

/** Place where something will be, with what to do next. */
export function EmptyState({ title, children }: EmptyStateProps) {
	return (
		<div className="empty">
			<h2>{title}</h2>
			{children}
		</div>
	);
}
