import type Stripe from 'stripe';

type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

/** The fields of the provider's error envelope that the sandbox fills. */
export interface ErrorBody {
  type: ErrorType;
  code?: string;
  decline_code?: string;
  message: string;
  param?: string;
  doc_url?: string;
  charge?: string;
  payment_intent?: object;
  payment_method?: Stripe.PaymentMethod;
  request_log_url?: string;
}

/** A refusal with its HTTP status. `isExecuted` says that the idempotency key keeps it. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: ErrorBody;
  readonly isExecuted: boolean;
  readonly shouldRetry: boolean | undefined;

  constructor(
    status: number,
    body: ErrorBody,
    options: { isExecuted?: boolean; shouldRetry?: boolean } = {},
  ) {
    super(body.message);
    this.name = 'ApiError';
    this.status = status;
    this.body = withDocumentation(body);
    this.isExecuted = options.isExecuted ?? false;
    this.shouldRetry = options.shouldRetry;
  }
}

/** Adds the provider's page on a code, as the real envelope has it. */
export function withDocumentation(body: ErrorBody): ErrorBody {
  if (body.code === undefined) return body;
  const page = body.code.replaceAll('_', '-');
  return { doc_url: `https://docs.stripe.com/error-codes/${page}`, ...body };
}

/** 400: the request itself is wrong; nothing was done and the key is not kept. */
export function invalidRequest(message: string, param?: string, code?: string): ApiError {
  return new ApiError(400, {
    type: 'invalid_request_error',
    message,
    ...(param === undefined ? {} : { param }),
    ...(code === undefined ? {} : { code }),
  });
}

export function missingParameter(param: string): ApiError {
  return invalidRequest(`Missing required param: ${param}.`, param, 'parameter_missing');
}

/** 404 for an id that names nothing. */
export function missingResource(kind: string, id: string, param = 'id'): ApiError {
  return new ApiError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  });
}

/** 400 with the intent: right request, wrong moment. Kept under the key. */
export function unexpectedState(intent: object, message: string): ApiError {
  return new ApiError(
    400,
    {
      type: 'invalid_request_error',
      code: 'payment_intent_unexpected_state',
      message,
      payment_intent: intent,
    },
    { isExecuted: true },
  );
}
