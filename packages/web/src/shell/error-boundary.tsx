import { Component, type ReactNode } from "react";
import { STRINGS } from "../strings/strings";

interface ErrorBoundaryProps {
	/** Another key shows the children again. */
	readonly children: ReactNode;
}

/** Shows what to do where a page could not be drawn, in place of an empty window. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
	override state = { hasFailed: false };

	static getDerivedStateFromError() {
		return { hasFailed: true };
	}

	override render(): ReactNode {
		if (!this.state.hasFailed) return this.props.children;
		return (
			<div className="page narrow">
				<div className="notice bad" role="alert">
					<p>{STRINGS.app.unexpected}</p>
					<button type="button" onClick={() => globalThis.location.reload()}>
						{STRINGS.app.reload}
					</button>
				</div>
			</div>
		);
	}
}
