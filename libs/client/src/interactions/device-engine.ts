import { createEngine, type KnowledgeBase } from '@app/interactions';
import { ProtocolError } from '../errors';
import type { InteractionEngineFactory } from './interaction-types';

/**
 * The engine that the service uses too, for `interactionEngine` of the client. An entry point of its own, so that a page
 * which checks nothing does not load it.
 * @throws ProtocolError for a knowledge base that the engine cannot read.
 * Security: the base is believed as served; a hostile service could leave a warning out of it, but learns no name.
 */
export const deviceInteractionEngine: InteractionEngineFactory = (knowledgeBase) => {
  if (knowledgeBase.format !== 1) {
    throw new ProtocolError(
      'The knowledge base is of a format that this version of the engine does not read.',
    );
  }
  try {
    return createEngine(knowledgeBase as unknown as KnowledgeBase);
  } catch (cause) {
    throw new ProtocolError('The knowledge base cannot be read by this version of the engine.', { cause });
  }
};
