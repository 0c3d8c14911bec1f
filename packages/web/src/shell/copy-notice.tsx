import { useState } from "react";
import { useAction } from "../data/use-action";
import { STRINGS } from "../strings/strings";
import { ErrorNotice } from "./error-notice";

interface CopyNoticeProps {
	/** Sentence above the text: what it is, and that it is not shown again. */
	readonly lead: string;
	readonly text: string;
}

/** Text that the service shows once, such as a secret or a link, to be copied. */
export function CopyNotice({ lead, text }: CopyNoticeProps) {
	const [isCopied, setCopied] = useState(false);
	const copy = useAction(async () => {
		await navigator.clipboard.writeText(text);
		setCopied(true);
	});
	return (
		<div className="notice good" role="status">
			<p>{lead}</p>
			<code className="plain">{text}</code>
			<p className="row">
				<button type="button" onClick={() => void copy.run()}>
					{STRINGS.app.copy}
				</button>
				{isCopied && STRINGS.app.copied}
			</p>
			<ErrorNotice error={copy.error} />
		</div>
	);
}
