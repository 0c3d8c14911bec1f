// A thread of assistant-ui, of its unstyled parts.
import { ComposerPrimitive, ErrorPrimitive, MessagePrimitive, ThreadPrimitive } from "@assistant-ui/react";

/** A call, and the buttons of assistant-ui for its approval. */
function ToolCall({ toolName, argsText, result, approval, respondToApproval }) {
	const isOpen = approval && approval.approved === undefined && approval.resolution === undefined;
	return (
		<fieldset>
			<legend>
				{toolName} {argsText}
			</legend>
			<output>{typeof result === "string" ? result : JSON.stringify(result)}</output>
			{isOpen && (
				<>
					<button type="button" onClick={() => respondToApproval({ approved: true })}>
						Approve
					</button>
					<button type="button" onClick={() => respondToApproval({ approved: false, reason: "Not today." })}>
						Deny
					</button>
				</>
			)}
		</fieldset>
	);
}

const Text = ({ text }) => <p>{text}</p>;
const Reasoning = ({ text }) => <em>{text}</em>;
const PARTS = { Text, Reasoning, tools: { Fallback: ToolCall } };

const toMessage = (role) => () => (
	<MessagePrimitive.Root>
		<section data-role={role}>
			<MessagePrimitive.Parts components={PARTS} />
			<MessagePrimitive.Error>
				<ErrorPrimitive.Root>
					<ErrorPrimitive.Message />
				</ErrorPrimitive.Root>
			</MessagePrimitive.Error>
		</section>
	</MessagePrimitive.Root>
);
const MESSAGES = { UserMessage: toMessage("user"), AssistantMessage: toMessage("assistant") };

export const Thread = () => (
	<ThreadPrimitive.Root>
		<ThreadPrimitive.Messages components={MESSAGES} />
		<ComposerPrimitive.Root>
			<ComposerPrimitive.Input aria-label="Message" />
			<ComposerPrimitive.Send>Send</ComposerPrimitive.Send>
			<ComposerPrimitive.Cancel>Stop</ComposerPrimitive.Cancel>
		</ComposerPrimitive.Root>
	</ThreadPrimitive.Root>
);
