import ShoalHTTP

extension S3Error.Code {
    /// Status and usual message of each code, as recorded on or documented for AWS.
    var reference: (status: HTTPStatus, message: String) {
        switch self {
        case .accessControlListNotSupported: (.badRequest, "The bucket does not allow ACLs")
        case .accessDenied: (.forbidden, "Access Denied")
        case .accessForbidden: (.forbidden, "CORSResponse: CORS is not enabled for this bucket.")
        case .authorizationHeaderMalformed: (.badRequest, "The authorization header is malformed")
        case .authorizationQueryParametersError: (.badRequest, "Error parsing the X-Amz-Credential parameter")
        case .badDigest: (.badRequest, "The Content-MD5 you specified did not match what we received.")
        case .badRequest: (.badRequest, "An error occurred when parsing the HTTP request.")
        case .bucketAlreadyExists:
            (
                .conflict,
                "The requested bucket name is not available. The bucket namespace is shared by all users of the system. "
                    + "Please select a different name and try again."
            )
        case .bucketAlreadyOwnedByYou:
            (.conflict, "Your previous request to create the named bucket succeeded and you already own it.")
        case .bucketNotEmpty: (.conflict, "The bucket you tried to delete is not empty")
        case .conditionalRequestConflict:
            (
                .conflict,
                "The conditional request cannot succeed due to a conflicting operation against this resource."
            )
        case .crossLocationLoggingProhibited: (.forbidden, "Cross S3 location logging not allowed. ")
        case .entityTooLarge: (.badRequest, "Your proposed upload exceeds the maximum allowed size")
        case .entityTooSmall: (.badRequest, "Your proposed upload is smaller than the minimum allowed size")
        case .expiredToken: (.badRequest, "The provided token has expired.")
        case .illegalLocationConstraint:
            (
                .badRequest,
                "The unspecified location constraint is incompatible for the region specific endpoint this request was "
                    + "sent to."
            )
        case .illegalVersioningConfiguration: (.badRequest, "The Versioning element must be specified")
        case .incompleteBody:
            (
                .badRequest,
                "You did not provide the number of bytes specified by the Content-Length HTTP header"
            )
        case .internalError: (.internalServerError, "We encountered an internal error. Please try again.")
        case .invalidAccessKeyId:
            (.forbidden, "The AWS Access Key Id you provided does not exist in our records.")
        case .invalidArgument: (.badRequest, "Invalid Argument")
        case .invalidBucketAclWithObjectOwnership:
            (.badRequest, "Bucket cannot have ACLs set with ObjectOwnership's BucketOwnerEnforced setting")
        case .invalidBucketNamespace:
            (.badRequest, "The bucket name is not valid for the namespace that was specified.")
        case .invalidBucketName: (.badRequest, "The specified bucket is not valid.")
        case .invalidBucketOwnerAWSAccountID:
            (.badRequest, "The value of the expected bucket owner parameter must be an AWS Account ID...")
        case .invalidBucketState: (.conflict, "The request is not valid with the current state of the bucket.")
        case .invalidChunkSize:
            (.badRequest, "Only the last chunk is allowed to have a size less than 8192 bytes")
        case .invalidDigest: (.badRequest, "The Content-MD5 you specified was invalid.")
        case .invalidEncryptionAlgorithm:
            (.badRequest, "The Encryption request you specified is not valid. Supported value: AES256.")
        case .invalidLocationConstraint: (.badRequest, "The specified location-constraint is not valid")
        case .invalidObjectState: (.forbidden, "The operation is not valid for the object's storage class")
        case .invalidPart:
            (
                .badRequest,
                "One or more of the specified parts could not be found.  The part may not have been uploaded, or the "
                    + "specified entity tag may not match the part's entity tag."
            )
        case .invalidPartNumber: (.rangeNotSatisfiable, "The requested partnumber is not satisfiable")
        case .invalidPartOrder:
            (
                .badRequest,
                "The list of parts was not in ascending order. Parts must be ordered by part number."
            )
        case .invalidPolicyDocument: (.badRequest, "Invalid Policy: Invalid JSON.")
        case .invalidRange: (.rangeNotSatisfiable, "The requested range is not satisfiable")
        case .invalidRedirectLocation:
            (.badRequest, "The website redirect location must have a prefix of 'http://' or 'https://' or '/'.")
        case .invalidRequest: (.badRequest, "Invalid Request")
        case .invalidStorageClass: (.badRequest, "The storage class you specified is not valid")
        case .invalidTag: (.badRequest, "The TagKey you have provided is invalid")
        case .invalidTargetBucketForLogging: (.badRequest, "The target bucket for logging does not exist")
        case .invalidToken: (.badRequest, "The provided token is malformed or otherwise invalid.")
        case .invalidURI: (.badRequest, "Couldn't parse the specified URI.")
        case .keyTooLong: (.badRequest, "Your key is too long")
        case .malformedACL:
            (.badRequest, "The XML you provided was not well-formed or did not validate against our published schema")
        case .malformedPolicy: (.badRequest, "Policies must be valid JSON and the first byte must be '{'")
        case .malformedPOSTRequest:
            (.badRequest, "The body of your POST request is not well-formed multipart/form-data.")
        case .malformedTrailer:
            (
                .badRequest,
                "The request contained trailing data that was not well-formed or did not conform to our published "
                    + "schema."
            )
        case .malformedXML:
            (
                .badRequest,
                "The XML you provided was not well-formed or did not validate against our published schema"
            )
        case .maxMessageLengthExceeded: (.badRequest, "Your request was too big.")
        case .maxPostPreDataLengthExceeded:
            (.badRequest, "Your POST request fields preceding the upload file were too large.")
        case .metadataTooLarge:
            (.badRequest, "Your metadata headers exceed the maximum allowed metadata size")
        case .methodNotAllowed:
            (.methodNotAllowed, "The specified method is not allowed against this resource.")
        case .missingContentLength: (.lengthRequired, "You must provide the Content-Length HTTP header.")
        case .missingRequestBody: (.badRequest, "Request Body is empty")
        case .missingSecurityHeader: (.badRequest, "Your request was missing a required header")
        case .noLoggingStatusForKey:
            (.badRequest, "There is no such thing as the ?logging sub-resource for a key")
        case .noSuchBucket: (.notFound, "The specified bucket does not exist")
        case .noSuchBucketPolicy: (.notFound, "The bucket policy does not exist")
        case .noSuchConfiguration: (.notFound, "The specified configuration does not exist.")
        case .tooManyConfigurations:
            (
                .badRequest,
                "You are attempting to create a new configuration but have already reached the 1,000-configuration limit."
            )
        case .noSuchCORSConfiguration: (.notFound, "The CORS configuration does not exist")
        case .noSuchKey: (.notFound, "The specified key does not exist.")
        case .noSuchLifecycleConfiguration: (.notFound, "The lifecycle configuration does not exist")
        case .noSuchObjectLockConfiguration:
            (.notFound, "The specified object does not have a ObjectLock configuration")
        case .noSuchPublicAccessBlockConfiguration: (.notFound, "The public access block configuration was not found")
        case .noSuchTagSet: (.notFound, "The TagSet does not exist")
        case .noSuchUpload:
            (
                .notFound,
                "The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted "
                    + "or completed."
            )
        case .noSuchVersion: (.notFound, "The specified version does not exist.")
        case .noSuchWebsiteConfiguration: (.notFound, "The specified bucket does not have a website configuration")
        case .notImplemented:
            (.notImplemented, "A header you provided implies functionality that is not implemented")
        case .objectLockConfigurationNotFound: (.notFound, "Object Lock configuration does not exist for this bucket")
        case .operationAborted:
            (
                .conflict,
                "A conflicting conditional operation is currently in progress against this resource. Please try again."
            )
        case .ownershipControlsNotFound: (.notFound, "The bucket ownership controls were not found")
        case .permanentRedirect:
            (
                .movedPermanently,
                "The bucket you are attempting to access must be addressed using the specified endpoint. Please send "
                    + "all future requests to this endpoint."
            )
        case .preconditionFailed:
            (.preconditionFailed, "At least one of the pre-conditions you specified did not hold")
        case .replicationConfigurationNotFound: (.notFound, "The replication configuration was not found")
        case .requestHeaderSectionTooLarge:
            (.badRequest, "Your request header section exceeds the maximum allowed size.")
        case .requestTimeout:
            (
                .badRequest,
                "Your socket connection to the server was not read from or written to within the timeout period. Idle "
                    + "connections will be closed."
            )
        case .requestTimeTooSkewed:
            (.forbidden, "The difference between the request time and the current time is too large.")
        case .serviceUnavailable: (.serviceUnavailable, "Service is unable to handle request.")
        case .signatureDoesNotMatch:
            (
                .forbidden,
                "The request signature we calculated does not match the signature you provided. Check your key and "
                    + "signing method."
            )
        case .slowDown: (.serviceUnavailable, "Please reduce your request rate.")
        case .temporaryRedirect:
            (
                .temporaryRedirect,
                "Please re-send this request to the specified temporary endpoint. Continue to use the original request "
                    + "endpoint for future requests."
            )
        case .unexpectedContent: (.badRequest, "This request does not support content")
        case .unresolvableGrantByEmailAddress:
            (.badRequest, "The email address you provided does not match any account on record.")
        case .userKeyMustBeSpecified: (.badRequest, "User key must be specified.")
        case .xAmzContentSHA256Mismatch:
            (
                .badRequest, "The provided 'x-amz-content-sha256' header does not match what was computed."
            )
        }
    }
}
