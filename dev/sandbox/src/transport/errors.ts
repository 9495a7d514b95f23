import type Stripe from 'stripe';

type ErrorType = 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';

/** The fields of the provider's error object that the sandbox sets. */
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

/** A refusal with its HTTP status. If `isExecuted`, it is stored under the idempotency key. */
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

/** Adds the URL of the provider's page about the code, as the real API does. */
export function withDocumentation(body: ErrorBody): ErrorBody {
  if (body.code === undefined) return body;
  const page = body.code.replaceAll('_', '-');
  return { doc_url: `https://docs.stripe.com/error-codes/${page}`, ...body };
}

/** 400: the request is invalid. It was not executed, and nothing is stored under the key. */
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

/** 404 for an unknown id. */
export function missingResource(kind: string, id: string, param = 'id'): ApiError {
  return new ApiError(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  });
}

/** 400 with the intent: a valid request in the wrong state. Stored under the key. */
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
