/* Functions of the interface FMI 3.0 that this kind of FMU does not have, and variables of other kinds. */

#include "instance.h"

/* All variables are numbers of 64 bits: others are asked for by nothing, or by a mistake. */
#define NO_VALUES(kind, type) \
    EXPORT status fmi3Get##kind(struct instance *instance, const reference references[], size_t count, type values[], \
                                size_t values_count) { \
        REQUIRE(fmi3Get##kind, ANY); \
        (void)references, (void)values, (void)values_count; \
        return count == 0 ? OK : report(instance, ERROR, "fmi3Get" #kind ": there are no such variables"); \
    } \
    EXPORT status fmi3Set##kind(struct instance *instance, const reference references[], size_t count, \
                                const type values[], size_t values_count) { \
        REQUIRE(fmi3Set##kind, INSTANTIATED | INITIALIZATION | STEP); \
        (void)references, (void)values, (void)values_count; \
        return count == 0 ? OK : report(instance, ERROR, "fmi3Set" #kind ": there are no such variables"); \
    }

typedef const char *string;
NO_VALUES(Float32, float)
NO_VALUES(Int8, int8_t)
NO_VALUES(UInt8, uint8_t)
NO_VALUES(Int16, int16_t)
NO_VALUES(UInt16, uint16_t)
NO_VALUES(Int32, int32_t)
NO_VALUES(UInt32, uint32_t)
NO_VALUES(Int64, int64_t)
NO_VALUES(UInt64, uint64_t)
NO_VALUES(Boolean, bool)
NO_VALUES(String, string)

EXPORT status fmi3GetBinary(struct instance *instance, const reference references[], size_t count, size_t sizes[],
                            const uint8_t *values[], size_t values_count) {
    REQUIRE(fmi3GetBinary, ANY);
    (void)references, (void)sizes, (void)values, (void)values_count;
    return count == 0 ? OK : report(instance, ERROR, "fmi3GetBinary: there are no such variables");
}

EXPORT status fmi3SetBinary(struct instance *instance, const reference references[], size_t count, const size_t sizes[],
                            const uint8_t *const values[], size_t values_count) {
    REQUIRE(fmi3SetBinary, INSTANTIATED | INITIALIZATION | STEP);
    (void)references, (void)sizes, (void)values, (void)values_count;
    return count == 0 ? OK : report(instance, ERROR, "fmi3SetBinary: there are no such variables");
}

/* What this kind of FMU does not have: calls with nothing to do succeed where the standard lets them. */
#define UNAVAILABLE(name) \
    EXPORT status name(struct instance *instance) { \
        REQUIRE(name, ANY); \
        return report(instance, ERROR, #name " is not available: see the capabilities in the model description"); \
    }

UNAVAILABLE(fmi3EnterEventMode)
UNAVAILABLE(fmi3EnterStepMode)
UNAVAILABLE(fmi3EnterConfigurationMode)
UNAVAILABLE(fmi3ExitConfigurationMode)
UNAVAILABLE(fmi3EnterContinuousTimeMode)
UNAVAILABLE(fmi3GetNumberOfVariableDependencies)
UNAVAILABLE(fmi3GetVariableDependencies)
UNAVAILABLE(fmi3GetDirectionalDerivative)
UNAVAILABLE(fmi3GetAdjointDerivative)
UNAVAILABLE(fmi3GetClock)
UNAVAILABLE(fmi3SetClock)
UNAVAILABLE(fmi3GetIntervalDecimal)
UNAVAILABLE(fmi3GetIntervalFraction)
UNAVAILABLE(fmi3SetIntervalDecimal)
UNAVAILABLE(fmi3SetIntervalFraction)
UNAVAILABLE(fmi3GetShiftDecimal)
UNAVAILABLE(fmi3GetShiftFraction)
UNAVAILABLE(fmi3SetShiftDecimal)
UNAVAILABLE(fmi3SetShiftFraction)
UNAVAILABLE(fmi3EvaluateDiscreteStates)
UNAVAILABLE(fmi3UpdateDiscreteStates)
UNAVAILABLE(fmi3CompletedIntegratorStep)
UNAVAILABLE(fmi3SetTime)
UNAVAILABLE(fmi3SetContinuousStates)
UNAVAILABLE(fmi3GetContinuousStates)
UNAVAILABLE(fmi3GetContinuousStateDerivatives)
UNAVAILABLE(fmi3GetNominalsOfContinuousStates)
UNAVAILABLE(fmi3GetEventIndicators)
UNAVAILABLE(fmi3GetNumberOfEventIndicators)
UNAVAILABLE(fmi3GetNumberOfContinuousStates)
UNAVAILABLE(fmi3GetOutputDerivatives)
UNAVAILABLE(fmi3ActivateModelPartition)
